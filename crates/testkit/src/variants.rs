//! The variants of a form, for tests that must leave none out.

use std::collections::BTreeSet;

use serde::de::DeserializeOwned;

/// The words by which a form's variants are written, as its own reader lists them when it meets an unknown one.
///
/// # Panics
/// Where the form is no choice of several variants.
pub fn variants<T: DeserializeOwned>() -> BTreeSet<String> {
    let unknown = serde_json::from_str::<T>(r#"{"do":"?"}"#).err().expect("no variant is called so");
    let unknown = unknown.to_string();
    let variants: BTreeSet<String> =
        unknown.split('`').skip(1).step_by(2).skip(1).map(str::to_owned).collect();
    assert!(1 < variants.len(), "{unknown}");
    variants
}
