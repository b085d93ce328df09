// An engine in Go: it opens what one number proves, or guesses.
package main

import ("bufio"; "encoding/json"; "math/rand"; "os")

type message struct { Type string; ID, Game int; Seed uint64; Rows []string }
type object = map[string]any

func choose(rows []string, random *rand.Rand) ([][]any, bool) {
	width, mines, safe, rest := len(rows[0]), map[int]bool{}, map[int]bool{}, []int{}
	unopened := func(r, c int) bool {
		return r >= 0 && c >= 0 && r < len(rows) && c < width && (rows[r][c] == '.' || rows[r][c] == 'F')
	}
	each := func(use func(count int, cells []int)) {
		for i := 0; i < len(rows)*width; i++ {
			cells := []int{}
			for r := i/width - 1; r <= i/width+1; r++ {
				for c := i%width - 1; c <= i%width+1; c++ {
					if unopened(r, c) { cells = append(cells, r*width+c) }
				}
			}
			if !unopened(i/width, i%width) { use(int(rows[i/width][i%width]-'0'), cells) }
		}
	}
	each(func(count int, cells []int) {
		if len(cells) == count { for _, cell := range cells { mines[cell] = true } }
	})
	each(func(count int, cells []int) {
		for _, cell := range cells { if mines[cell] { count-- } }
		if count == 0 { for _, cell := range cells { if !mines[cell] { safe[cell] = true } } }
	})
	guess, actions := len(safe) == 0, [][]any{}
	if guess {
		for i := 0; i < len(rows)*width; i++ { if unopened(i/width, i%width) && !mines[i] { rest = append(rest, i) } }
		safe[rest[random.Intn(len(rest))]] = true
	}
	for cell := range safe { actions = append(actions, []any{"open", cell / width, cell % width}) }
	return actions, guess
}

func main() {
	input, out, games := bufio.NewReader(os.Stdin), json.NewEncoder(os.Stdout), map[int]*rand.Rand{}
	for line, end := input.ReadBytes('\n'); end == nil; line, end = input.ReadBytes('\n') {
		var m message
		switch bad := json.Unmarshal(line, &m); {
		case bad != nil: out.Encode(object{"type": "error", "code": "bad_request", "message": bad.Error()})
		case m.Type == "hello": out.Encode(object{"type": "hello", "protocol": 1, "name": "Go starter", "games": 100})
		case m.Type == "game": games[m.Game] = rand.New(rand.NewSource(int64(m.Seed)))
		case m.Type == "choose" && games[m.Game] == nil: out.Encode(object{"type": "error", "id": m.ID, "code": "no_game"})
		case m.Type == "choose":
			actions, guess := choose(m.Rows, games[m.Game])
			out.Encode(object{"type": "choice", "id": m.ID, "actions": actions, "guess": guess})
		case m.Type == "quit": return
		}
	}
}
