//! Records of the laws: what each computes, with which symbols, on which assumptions, and where its derivative can break.
//!
//! Records are constants. Switches in them are the [`Switch`](crate::switch::Switch) constants themselves, and every
//! path of a Rust item is taken as tokens, so that one that does not exist does not compile. All paths are written as
//! from outside (`articula::…`): `tests/registry.rs` compiles this very folder again as a foreign crate, so that one that
//! is not public does not compile either.
//!
//! | type | holds |
//! |---|---|
//! | [`Law`] | one record |
//! | [`Symbol`] | a symbol of its equations, its unit, and the item that implements it |
//! | [`LAWS`] | all records, in the order of the documentation |
//! | [`page`], [`section`] | the same for people; `docs/laws.md` is made of it |

/// The path of a public item, checked by the compiler.
///
/// `item!(a::b::C)` is an item; `item!(a::b::C, f)` an associated function or a method; `item!(a::b::C . x)` a field.
/// A type with a scalar is written with it: `item!(a::b::C<f64> . x)`.
macro_rules! item {
    ($root:ident $(:: $part:ident)*) => {{
        #[allow(unused_imports)]
        use $root $(:: $part)* as _;
        concat!(stringify!($root) $(, "::", stringify!($part))*)
    }};
    ($root:ident $(:: $part:ident)* $(< $scalar:ident >)?, $function:ident) => {{
        let _ = <$root $(:: $part)* $(< $scalar >)?>::$function;
        concat!(stringify!($root) $(, "::", stringify!($part))*, "::", stringify!($function))
    }};
    ($root:ident $(:: $part:ident)* $(< $scalar:ident >)? . $field:ident) => {{
        let _ = |x: &$root $(:: $part)* $(< $scalar >)?| {
            let _ = &x.$field;
        };
        concat!(stringify!($root) $(, "::", stringify!($part))*, "::", stringify!($field))
    }};
}

mod laws;
mod markdown;
mod record;
mod references;

pub use laws::LAWS;
pub use laws::dynamic_arm::LAW as DYNAMIC_ARM;
pub use laws::kinematic_arm::LAW as KINEMATIC_ARM;
pub use markdown::{page, section};
pub use record::{Check, Law, Port, Symbol, SymbolKind};

use articula::rollout::{Drive, Rung};

/// The record of a name.
pub fn law(name: &str) -> Option<&'static Law> {
    LAWS.iter().copied().find(|law| law.name == name)
}

/// The record of a rung, which reports name as a segment's entry.
pub fn of_rung(rung: &Rung) -> &'static Law {
    match rung {
        Rung::Dynamic(_) => &DYNAMIC_ARM,
        Rung::Kinematic(_) => &KINEMATIC_ARM,
    }
}

/// The record of a drive.
pub fn of_drive(drive: &Drive) -> &'static Law {
    match drive {
        Drive::Constant(_) => &laws::drive_constant::LAW,
        Drive::Sine { .. } => &laws::drive_sine::LAW,
        Drive::Table(_) => &laws::drive_table::LAW,
        Drive::Pd { .. } => &laws::drive_pd::LAW,
    }
}
