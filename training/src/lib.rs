//! Boards named on the command line.

/// Width, height and mines of "30x16:99".
pub fn board(text: &str) -> (usize, usize, usize) {
    let (shape, mines) = text.split_once(':').expect("WxH:MINES");
    let (width, height) = shape.split_once('x').expect("WxH:MINES");
    (width.parse().unwrap(), height.parse().unwrap(), mines.parse().unwrap())
}
