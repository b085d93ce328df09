//! An engine in Rust without other crates: it opens what one number proves, or guesses.
use std::collections::{BTreeSet, HashMap, HashSet};
use std::io::{stdin, BufRead};

/// Returns the number in `"name":NUMBER`.
fn field(line: &str, name: &str) -> Option<i128> {
    let (_, rest) = line.split_once(&format!("\"{name}\":"))?;
    rest.split([',', '}']).next()?.trim().parse().ok()
}

/// Returns the strings in `"rows":["...",...]`.
fn rows(line: &str) -> Option<Vec<&[u8]>> {
    let (_, rest) = line.split_once("\"rows\":[")?;
    Some(rest.split(']').next()?.split(',').map(|row| row.trim().trim_matches('"').as_bytes()).collect())
}

fn choose(rows: &[&[u8]], random: &mut u64) -> (BTreeSet<(usize, usize)>, bool) {
    let (height, width) = (rows.len(), rows[0].len());
    let all = || (0..height).flat_map(|r| (0..width).map(move |c| (r, c)));
    let unopened = |&(r, c): &(usize, usize)| b".F".contains(&rows[r][c]);
    let near = |(row, col): (usize, usize)| -> Vec<(usize, usize)> {
        all().filter(|&(r, c)| r.abs_diff(row) < 2 && c.abs_diff(col) < 2).filter(unopened).collect()
    };
    let opened = all().filter(|cell| !unopened(cell));
    let numbers: Vec<_> = opened.map(|(r, c)| ((rows[r][c] - b'0') as usize, near((r, c)))).collect();
    let full = numbers.iter().filter(|(count, cells)| cells.len() == *count).flat_map(|(_, cells)| cells);
    let mines: HashSet<_> = full.copied().collect();
    let is_mine = |cell: &&(usize, usize)| mines.contains(*cell);
    let done = numbers.iter().filter(|(count, cells)| cells.iter().filter(is_mine).count() == *count);
    let safe: BTreeSet<_> = done.flat_map(|(_, cells)| cells.clone()).filter(|cell| !mines.contains(cell)).collect();
    if !safe.is_empty() { return (safe, false) }
    let rest: Vec<_> = all().filter(unopened).filter(|cell| !mines.contains(cell)).collect();
    *random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    ([rest[(*random >> 33) as usize % rest.len()]].into(), true)
}

fn main() {
    let mut games: HashMap<i128, u64> = HashMap::new();
    for bytes in stdin().lock().split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&bytes);
        let (id, game) = (field(&line, "id").unwrap_or(-1), field(&line, "game"));
        if line.contains(r#""type":"hello""#) {
            println!(r#"{{"type":"hello","protocol":1,"name":"Rust starter","games":100}}"#);
        } else if line.contains(r#""type":"game""#) {
            games.extend(game.map(|game| (game, field(&line, "seed").unwrap_or(1) as u64)));
        } else if line.contains(r#""type":"quit""#) {
            return;
        } else if line.contains(r#""type":"choose""#) {
            let random = game.and_then(|game| games.get_mut(&game));
            let Some((rows, random)) = rows(&line).zip(random) else {
                println!(r#"{{"type":"error","id":{id},"code":"bad_request"}}"#);
                continue;
            };
            let (cells, guess) = choose(&rows, random);
            let actions: Vec<_> = cells.iter().map(|(r, c)| format!("[\"open\",{r},{c}]")).collect();
            println!(r#"{{"type":"choice","id":{id},"guess":{guess},"actions":[{}]}}"#, actions.join(","));
        }
    }
}
