//! Derivatives by every scalar and by differences, in one shape, so that tests compare tangents and not only values.

use articula::switch::{Choices, Script};
use articula::{Real, Tangents};
use nalgebra::{Const, SMatrix};
use num_dual::{Derivative, Dual2_64, Dual2SVec64, Dual64, DualSVec64, HyperDual64, HyperDualSVec64};

/// Named groups of numbers; each is compared at its own scale.
pub type Groups<T> = Vec<(&'static str, Vec<T>)>;

/// Something to differentiate, for every scalar.
pub trait Function {
    fn at<T: Real>(&self, x: &[T], choices: &mut Choices) -> Groups<T>;

    /// Whether two recorded scripts are of one piece.
    fn same_sides(&self, a: &Script, b: &Script) -> bool {
        a == b
    }
}

/// A scalar whose first derivatives can be seeded and read.
pub trait Seeded: Real {
    const SEEDS: usize;

    /// `x`, with first derivative one by seed `i`.
    fn seeded(x: f64, i: usize) -> Self;

    fn first(&self) -> Vec<f64>;
}

impl<const N: usize> Seeded for Tangents<N> {
    const SEEDS: usize = N;
    fn seeded(x: f64, i: usize) -> Self {
        Tangents::variable(x, i)
    }
    fn first(&self) -> Vec<f64> {
        self.tangents.to_vec()
    }
}

impl Seeded for Dual64 {
    const SEEDS: usize = 1;
    fn seeded(x: f64, _: usize) -> Self {
        Dual64::new(x, 1.0)
    }
    fn first(&self) -> Vec<f64> {
        vec![self.eps]
    }
}

impl Seeded for Dual2_64 {
    const SEEDS: usize = 1;
    fn seeded(x: f64, _: usize) -> Self {
        Dual2_64::new(x, 1.0, 0.0)
    }
    fn first(&self) -> Vec<f64> {
        vec![self.v1]
    }
}

impl Seeded for HyperDual64 {
    const SEEDS: usize = 2;
    fn seeded(x: f64, i: usize) -> Self {
        HyperDual64::new(x, f64::from(i == 0), f64::from(i == 1), 0.0)
    }
    fn first(&self) -> Vec<f64> {
        vec![self.eps1, self.eps2]
    }
}

/// The unit vector of a seed as a derivative block.
fn unit<const R: usize, const C: usize>(i: usize) -> Derivative<f64, Const<R>, Const<C>> {
    let mut block = SMatrix::<f64, R, C>::zeros();
    block[i] = 1.0;
    Derivative::some(block)
}

/// A block's numbers; an absent one is zero.
pub fn block<const R: usize, const C: usize>(d: &Derivative<f64, Const<R>, Const<C>>) -> Vec<f64> {
    d.0.map_or(vec![0.0; R * C], |m| m.iter().copied().collect())
}

impl<const N: usize> Seeded for DualSVec64<N> {
    const SEEDS: usize = N;
    fn seeded(x: f64, i: usize) -> Self {
        DualSVec64::new(x, unit(i))
    }
    fn first(&self) -> Vec<f64> {
        block(&self.eps)
    }
}

impl<const N: usize> Seeded for Dual2SVec64<N> {
    const SEEDS: usize = N;
    fn seeded(x: f64, i: usize) -> Self {
        Dual2SVec64::new(x, unit(i), Derivative::none())
    }
    fn first(&self) -> Vec<f64> {
        block(&self.v1)
    }
}

impl<const M: usize, const N: usize> Seeded for HyperDualSVec64<M, N> {
    const SEEDS: usize = M + N;
    fn seeded(x: f64, i: usize) -> Self {
        let mut y = HyperDualSVec64::from(x);
        if i < M {
            y.eps1 = unit(i);
        } else {
            y.eps2 = unit(i - M);
        }
        y
    }
    fn first(&self) -> Vec<f64> {
        [block(&self.eps1), block(&self.eps2)].concat()
    }
}

/// First derivatives: for each input and each group, one number an output. `None`: a switch is crossed nearby.
pub struct Jacobian {
    pub names: Vec<&'static str>,
    pub columns: Vec<Option<Vec<Vec<f64>>>>,
    /// What rounding may do to a group's numbers: `100 ε |value|` by duals, `30 ε |value| / h` by differences.
    pub noise: Vec<f64>,
}

impl Jacobian {
    fn largest(&self, group: usize) -> f64 {
        let all = self.columns.iter().flatten().flat_map(|c| &c[group]);
        all.fold(0.0_f64, |m, x| m.max(x.abs()))
    }
}

/// The largest number.
fn size(all: &[f64]) -> f64 {
    all.iter().fold(0.0_f64, |m, x| m.max(x.abs()))
}

/// By duals, in passes of as many inputs as the scalar has seeds.
pub fn by_duals<S: Seeded>(f: &impl Function, x: &[f64]) -> Jacobian {
    let values = f.at(x, &mut Choices::free());
    let names = values.iter().map(|g| g.0).collect();
    let noise = values.iter().map(|g| 1e2 * f64::EPSILON * size(&g.1)).collect();
    let mut columns = vec![None; x.len()];
    for from in (0..x.len()).step_by(S::SEEDS) {
        let pass = from..(from + S::SEEDS).min(x.len());
        let seeded: Vec<S> = (0..x.len())
            .map(|i| if pass.contains(&i) { S::seeded(x[i], i - from) } else { S::from_f64(x[i]) })
            .collect();
        let groups = f.at(&seeded, &mut Choices::free());
        let first: Vec<Vec<Vec<f64>>> =
            groups.iter().map(|(_, all)| all.iter().map(Seeded::first).collect()).collect();
        for i in pass {
            columns[i] =
                Some(first.iter().map(|group| group.iter().map(|t| t[i - from]).collect()).collect());
        }
    }
    Jacobian { names, columns, noise }
}

/// The sides taken at `x`, without tangents.
pub fn sides(f: &impl Function, x: &[f64]) -> Script {
    let mut choices = Choices::record();
    let _ = f.at(x, &mut choices);
    choices.into_script()
}

/// By central differences; a column is left out where a switch takes another side at either point.
pub fn by_differences(f: &impl Function, x: &[f64], h: f64) -> Jacobian {
    let here = sides(f, x);
    let values = f.at(x, &mut Choices::free());
    let names = values.iter().map(|g| g.0).collect();
    let noise = values.iter().map(|g| 30.0 * f64::EPSILON * size(&g.1) / h).collect();
    let column = |i: usize| {
        let moved = |amount: f64| {
            let mut at = x.to_vec();
            at[i] += amount;
            let mut choices = Choices::record();
            let groups = f.at(&at, &mut choices);
            (groups, f.same_sides(&choices.into_script(), &here))
        };
        let ((above, same_above), (below, same_below)) = (moved(h), moved(-h));
        let slope = |(a, b): (&f64, &f64)| (a - b) / (2.0 * h);
        let slopes =
            above.iter().zip(&below).map(|(a, b)| a.1.iter().zip(&b.1).map(slope).collect()).collect();
        (same_above && same_below).then_some(slopes)
    };
    Jacobian { names, columns: (0..x.len()).map(column).collect(), noise }
}

/// Every column of `found` is that of `reference` to `tolerance` of the column's largest number in its group, or of
/// `floor` times the group's largest number where the column is smaller than that, besides the reference's rounding.
/// Returns the worst ratio, and how many columns were compared.
pub fn assert_same_tangents(
    what: &str,
    found: &Jacobian,
    reference: &Jacobian,
    tolerance: f64,
    floor: f64,
) -> (f64, usize) {
    let (mut worst, mut compared) = (0.0_f64, 0);
    assert_eq!(found.names, reference.names);
    for (i, (a, b)) in found.columns.iter().zip(&reference.columns).enumerate() {
        let (Some(a), Some(b)) = (a, b) else { continue };
        compared += 1;
        for (g, name) in found.names.iter().enumerate() {
            assert_eq!(a[g].len(), b[g].len(), "{what}: {name}");
            let scale = size(&b[g]).max(floor * reference.largest(g)).max(1e-4);
            for (k, (x, y)) in a[g].iter().zip(&b[g]).enumerate() {
                let off = ((x - y).abs() - reference.noise[g]).max(0.0) / scale;
                assert!(
                    off <= tolerance && x.is_finite() && y.is_finite(),
                    "{what}: {name}[{k}] by input {i}: {x:e}, not {y:e} (off by {off:.1e})"
                );
                worst = worst.max(off);
            }
        }
    }
    (worst, compared)
}
