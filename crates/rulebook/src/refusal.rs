//! The parts of a refusal, the same for every state machine that answers under a rulebook.

/// Declares `Reason`, most basic first, each with a sentence that a Dealer could read out (what is wrong, and what to
/// do instead), and `Refusal`, a reason with its clause.
#[macro_export]
macro_rules! reasons {
    ($($name:ident $sentence:literal,)*) => {
        /// Why a command is refused. Checks are made in this order.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Reason {
            $(#[doc = $sentence] $name),*
        }

        impl Reason {
            /// Every reason, most basic first.
            pub const ALL: &[Reason] = &[$(Reason::$name),*];

            /// A sentence that a Dealer could read out.
            pub const fn sentence(self) -> &'static str {
                match self {
                    $(Reason::$name => $sentence),*
                }
            }

            /// The refusal under a clause.
            pub const fn under(self, clause: $crate::Clause) -> Refusal {
                Refusal { reason: self, clause }
            }
        }

        /// A refused command: the reason and its clause.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Refusal {
            pub reason: Reason,
            /// The clause it is based on.
            pub clause: $crate::Clause,
        }

        impl std::fmt::Display for Refusal {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{} ({})", self.reason.sentence(), self.clause)
            }
        }

        impl std::error::Error for Refusal {}
    };
}
