//! Where the laws come from; the list of `docs/equations.md` in constants.

pub(super) const FEATHERSTONE: &str = "Featherstone 2008, Rigid Body Dynamics Algorithms";
pub(super) const LUH: &str =
    "Luh, Walker & Paul 1980, On-line computational scheme for mechanical manipulators";
pub(super) const MOREAU: &str = "Moreau 1988, Unilateral contact and dry friction in finite freedom dynamics";
pub(super) const JUDICE: &str = "Júdice & Pires 1994, A block principal pivoting algorithm for large-scale strictly \
                                 monotone linear complementarity problems";
pub(super) const NOCEDAL: &str = "Nocedal & Wright 2006, Numerical Optimization, 2nd edition, section 16.5";
pub(super) const NESTEROV: &str = "Nesterov 2005, Lexicographic differentiation of nonsmooth functions";
pub(super) const KHAN: &str = "Khan & Barton 2015, A vector forward mode of automatic differentiation for generalized derivative evaluation";
pub(super) const GOLUB: &str = "Golub & Van Loan 2013, Matrix Computations, 4th edition";
pub(super) const SCIAVICCO: &str =
    "Sciavicco & Siciliano 2000, Modelling and Control of Robot Manipulators, 2nd edition";
pub(super) const URDF: &str =
    "the URDF pages of ROS (wiki.ros.org/urdf/XML) and urdf.xsd of urdfdom, version 1.0";
