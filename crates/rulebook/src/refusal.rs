//! What a refusal is made of, the same for every state machine that answers under a rulebook.

/// Declares `Reason`, each with the sentence a dealer could read out (what is wrong, and what to do instead), most basic
/// first, and `Refusal`, a reason under its clause.
#[macro_export]
macro_rules! reasons {
    ($($name:ident $sentence:literal,)*) => {
        /// Why a command is not taken. Checks keep this order.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Reason {
            $(#[doc = $sentence] $name),*
        }

        impl Reason {
            /// Every reason, most basic first.
            pub const ALL: &[Reason] = &[$(Reason::$name),*];

            /// A sentence a dealer could read out.
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

        /// A command not taken: the reason and the clause it rests on.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Refusal {
            pub reason: Reason,
            /// Under which clause.
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
