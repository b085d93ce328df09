//! Adam (Kingma and Ba 2014), with cosine decay of the rate.

pub struct Adam {
    rate: f64,
    batch: usize,
    steps: i32,
    mean: Vec<f32>,
    square: Vec<f32>,
}

impl Adam {
    pub fn new(weights: usize, rate: f64, batch: usize) -> Adam {
        Adam { rate, batch, steps: 0, mean: vec![0.0; weights], square: vec![0.0; weights] }
    }

    /// Updates the weights from a batch's gradients and clears the gradients; `done` is the
    /// completed share of all steps.
    pub fn step(&mut self, weights: &mut [f32], gradients: &mut [f32], done: f64) {
        self.steps += 1;
        let t = self.steps;
        let warm = (f64::from(t) / 200.0).min(1.0);
        let rate = self.rate * warm * 0.5 * (1.0 + (std::f64::consts::PI * done).cos());
        let factor = (rate * (1.0 - 0.999f64.powi(t)).sqrt() / (1.0 - 0.9f64.powi(t))) as f32;
        let moments = self.mean.iter_mut().zip(&mut self.square);
        for ((w, (m, v)), g) in weights.iter_mut().zip(moments).zip(gradients) {
            let gradient = *g / self.batch as f32;
            *m = 0.9 * *m + 0.1 * gradient;
            *v = 0.999 * *v + 0.001 * gradient * gradient;
            *w -= factor * *m / (v.sqrt() + 1e-8);
            *g = 0.0;
        }
    }
}
