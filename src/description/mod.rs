//! What a robot file says, every element accounted for.
