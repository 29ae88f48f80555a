//! What a run leaves: `trajectory.csv`, `trajectory.npz`, `report.json`, plots, `report.html`, and a few lines for people.
//!
//! | type | holds |
//! |---|---|
//! | [`Folder`] | an output folder: empty or forced; files appear in it whole |
//! | [`write_csv`], [`write_npz`] | the rows of a session |
//! | [`document`] | `report.json`, schema `articula/run/1` |
//! | [`plots`], [`plot_names`] | pictures of every segment's rows, SVG; their names before there are rows |
//! | [`page`] | `report.html`: the same and a stick figure that moves, in one file |
//! | [`summary`], [`story`] | the same in a few lines; what happened, joint by joint |

mod csv;
mod folder;
mod json;
mod npz;
mod page;
mod plot;
mod story;
mod summary;

pub use csv::{header, write_csv};
pub use folder::Folder;
pub(crate) use folder::writer_of;
pub use json::{Clocked, document};
pub use npz::write_npz;
pub use page::page;
pub use plot::{PLOTS, Plot, plot_names, plots};
pub use story::story;
pub use summary::summary;
