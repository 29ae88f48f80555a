//! A rollout that can be walked back.

use crate::step::{Piece, State};

/// States, inputs and pieces of a block of steps, and the state every block starts from; allocated once.
///
/// With a block as long as the rollout everything is kept. With shorter ones a block that is not there is stepped again
/// from its start when the way back reaches it: once more the time, at the memory of one block and one state a block.
#[derive(Clone, Debug)]
pub(super) struct Tape {
    joints: usize,
    steps: usize,
    block: usize,
    /// The first step of the block that is there.
    first: usize,
    q: Vec<f64>,
    v: Vec<f64>,
    input: Vec<f64>,
    pieces: Vec<Piece>,
    starts: Vec<f64>,
}

impl Tape {
    pub fn new(joints: usize, steps: usize, block: usize) -> Self {
        let block = block.clamp(1, steps.max(1));
        Tape {
            joints,
            steps,
            block,
            first: 0,
            q: vec![0.0; (block + 1) * joints],
            v: vec![0.0; (block + 1) * joints],
            input: vec![0.0; block * joints],
            pieces: vec![Piece::Free; block * joints],
            starts: vec![0.0; steps.div_ceil(block) * 2 * joints],
        }
    }

    pub fn steps(&self) -> usize {
        self.steps
    }

    /// Blocks, the first steps of which are multiples of their length.
    pub fn blocks(&self) -> usize {
        self.steps.div_ceil(self.block)
    }

    /// The steps of a block.
    pub fn of_block(&self, block: usize) -> std::ops::Range<usize> {
        block * self.block..self.steps.min((block + 1) * self.block)
    }

    /// Opens the block that starts with a step, from a state.
    pub fn open(&mut self, first: usize, state: &State<f64>) {
        self.first = first;
        let n = self.joints;
        self.q[..n].copy_from_slice(&state.q);
        self.v[..n].copy_from_slice(&state.v);
        let start = &mut self.starts[first / self.block * 2 * n..][..2 * n];
        start[..n].copy_from_slice(&state.q);
        start[n..].copy_from_slice(&state.v);
    }

    /// The state a block starts from.
    pub fn start(&self, first: usize, state: &mut State<f64>) {
        let n = self.joints;
        let start = &self.starts[first / self.block * 2 * n..][..2 * n];
        state.q.copy_from_slice(&start[..n]);
        state.v.copy_from_slice(&start[n..]);
    }

    /// Keeps a step of the block: what was told, and what came of it.
    pub fn keep(&mut self, step: usize, input: &[f64], state: &State<f64>, pieces: &[Piece]) {
        let (k, n) = (step - self.first, self.joints);
        self.input[k * n..(k + 1) * n].copy_from_slice(input);
        self.pieces[k * n..(k + 1) * n].copy_from_slice(pieces);
        self.q[(k + 1) * n..(k + 2) * n].copy_from_slice(&state.q);
        self.v[(k + 1) * n..(k + 2) * n].copy_from_slice(&state.v);
    }

    fn row<'a, X>(&self, list: &'a [X], k: usize) -> &'a [X] {
        &list[(k - self.first) * self.joints..][..self.joints]
    }

    /// Positions at the start of a step of the block, or at the end of its last.
    pub fn q(&self, k: usize) -> &[f64] {
        self.row(&self.q, k)
    }

    /// Velocities likewise.
    pub fn v(&self, k: usize) -> &[f64] {
        self.row(&self.v, k)
    }

    /// What was told in a step.
    pub fn input(&self, k: usize) -> &[f64] {
        self.row(&self.input, k)
    }

    /// Where the joints were on their graphs in a step.
    pub fn pieces(&self, k: usize) -> &[Piece] {
        self.row(&self.pieces, k)
    }

    /// Fills a state.
    pub fn state(&self, k: usize, dt: f64, state: &mut State<f64>) {
        state.q.copy_from_slice(self.q(k));
        state.v.copy_from_slice(self.v(k));
        state.t = k as f64 * dt;
    }
}
