//! Inputs given at a few instants, straight lines between.

/// Knots at `τ_i = i T/(K − 1)` over a run of `N` steps, `T = N dt`; a step is told what the line says at its start.
///
/// ```text
/// u_k = Σ_i N_i(t_k) x_i        ∂J/∂x_i = Σ_k N_i(t_k) ∂J/∂u_k        t_k = k dt
/// ```
///
/// With `K = N + 1` every step has a knot of its own, and the last knot, at the end of the last step, tells none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Knots {
    steps: usize,
    count: usize,
}

impl Knots {
    /// So many knots over so many steps; `None` for fewer than two, or more than `steps + 1`.
    pub fn new(steps: usize, count: usize) -> Option<Self> {
        (2..=steps + 1).contains(&count).then_some(Knots { steps, count })
    }

    /// How many.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The time of a knot in steps.
    pub fn at(&self, i: usize) -> f64 {
        (i * self.steps) as f64 / (self.count - 1) as f64
    }

    /// The knot at or before the start of step `k`, and how far on from there to the next.
    fn place(&self, k: usize) -> (usize, f64) {
        // In whole numbers, so that a knot on a step is there exactly.
        let gone = k * (self.count - 1);
        (gone / self.steps, (gone % self.steps) as f64 / self.steps as f64)
    }

    /// What each step is told, from what stands at the knots.
    ///
    /// # Panics
    /// On a slice of the wrong length.
    pub fn spread(&self, knots: &[f64]) -> Vec<f64> {
        assert_eq!(knots.len(), self.count, "length of knots");
        let step = |k| {
            let (i, part) = self.place(k);
            knots[i] + part * (knots[i + 1] - knots[i])
        };
        (0..self.steps).map(step).collect()
    }

    /// Derivatives by the knots, from those by what each step is told.
    ///
    /// # Panics
    /// On a slice of the wrong length.
    pub fn gather(&self, steps: &[f64]) -> Vec<f64> {
        assert_eq!(steps.len(), self.steps, "length of steps");
        let mut found = vec![0.0; self.count];
        for (k, slope) in steps.iter().enumerate() {
            let (i, part) = self.place(k);
            found[i] += (1.0 - part) * slope;
            found[i + 1] += part * slope;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: [(usize, usize); 6] = [(1, 2), (7, 2), (7, 8), (10, 4), (100, 7), (1000, 20)];

    /// Claim: values of a line at the knots give that line at every step. Two roundings a value.
    #[test]
    fn lines_are_exact() {
        for (steps, count) in SIZES {
            let knots = Knots::new(steps, count).expect("knots");
            let line = |t: f64| 0.3 - 1.7 * t / steps as f64;
            let given: Vec<f64> = (0..count).map(|i| line(knots.at(i))).collect();
            for (k, told) in knots.spread(&given).into_iter().enumerate() {
                assert!((told - line(k as f64)).abs() < 1e-15, "step {k} of {steps}, {count} knots: {told}");
            }
        }
    }

    /// Claim: `g · (N x) = (Nᵀ g) · x`. Sums of up to a thousand numbers of size one, each to rounding.
    #[test]
    fn gathering_is_the_transpose_of_spreading() {
        for (steps, count) in SIZES {
            let knots = Knots::new(steps, count).expect("knots");
            let x: Vec<f64> = (0..count).map(|i| (1.7 * i as f64 + 0.3).sin()).collect();
            let g: Vec<f64> = (0..steps).map(|k| (0.9 * k as f64 - 0.4).cos()).collect();
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            let (there, back) = (dot(&g, &knots.spread(&x)), dot(&knots.gather(&g), &x));
            assert!((there - back).abs() < 1e-12, "{steps} steps, {count} knots: {there} {back}");
        }
    }

    /// Claim: with one knot more than steps, each step is told its own, and the last tells none.
    #[test]
    fn a_knot_a_step() {
        let knots = Knots::new(3, 4).expect("knots");
        assert_eq!(knots.spread(&[1.0, -2.0, 5.0, 9.0]), [1.0, -2.0, 5.0]);
        assert_eq!(knots.gather(&[1.0, -2.0, 5.0]), [1.0, -2.0, 5.0, 0.0]);
        assert!(Knots::new(3, 5).is_none() && Knots::new(3, 1).is_none());
    }
}
