//! An exact number, as the API gives it.

use lab::exact::Fraction;
use serde::Serialize;
use utoipa::ToSchema;

/// An exact number: its fraction in decimal digits, and what it comes to for drawing.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(in crate::api) struct Ratio {
    #[schema(example = "-1")]
    pub(in crate::api) numerator: String,
    /// The denominator; positive.
    #[schema(example = "3")]
    pub(in crate::api) denominator: String,
    /// The nearest binary fraction.
    pub(in crate::api) value: f64,
}

impl From<Fraction> for Ratio {
    fn from(exact: Fraction) -> Ratio {
        Ratio {
            numerator: exact.numerator().to_string(),
            denominator: exact.denominator().to_string(),
            value: exact.value(),
        }
    }
}
