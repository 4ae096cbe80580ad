//! How a stored form is declared. Each type of the domain has a stored type of its own, written out variant by variant
//! and field by field, with conversions that name every one of them: what is added to the domain breaks the build
//! here, and what is renamed there keeps its stored name here by a `#[serde(rename)]`.

use std::ops::RangeInclusive;
use std::sync::Arc;

/// The stored form of a `T`, borrowing from it while it is written and from the stored text while it is read.
pub(super) trait Form<'a, T>: Sized {
    /// The stored form of a value.
    fn of(value: &'a T) -> Self;

    /// The value, or what is wrong with the form.
    fn restore(self) -> Result<T, Wrong>;
}

/// What is wrong with a form that is well written.
pub(super) struct Wrong(pub(super) String);

impl<'a, T, F: Form<'a, T>> Form<'a, Option<T>> for Option<F> {
    fn of(value: &'a Option<T>) -> Option<F> {
        value.as_ref().map(F::of)
    }

    fn restore(self) -> Result<Option<T>, Wrong> {
        self.map(F::restore).transpose()
    }
}

impl<'a, T, F: Form<'a, T>> Form<'a, Vec<T>> for Vec<F> {
    fn of(values: &'a Vec<T>) -> Vec<F> {
        values.iter().map(F::of).collect()
    }

    fn restore(self) -> Result<Vec<T>, Wrong> {
        self.into_iter().map(F::restore).collect()
    }
}

impl<'a, T, F: Form<'a, T>> Form<'a, Arc<T>> for F {
    fn of(value: &'a Arc<T>) -> F {
        F::of(&**value)
    }

    fn restore(self) -> Result<Arc<T>, Wrong> {
        Form::<'a, T>::restore(self).map(Arc::new)
    }
}

impl<'a, T, F: Form<'a, T>> Form<'a, Box<T>> for F {
    fn of(value: &'a Box<T>) -> F {
        F::of(&**value)
    }

    fn restore(self) -> Result<Box<T>, Wrong> {
        Form::<'a, T>::restore(self).map(Box::new)
    }
}

impl<'a, T, U, F: Form<'a, T>, G: Form<'a, U>> Form<'a, (T, U)> for (F, G) {
    fn of((one, other): &'a (T, U)) -> (F, G) {
        (F::of(one), G::of(other))
    }

    fn restore(self) -> Result<(T, U), Wrong> {
        Ok((self.0.restore()?, self.1.restore()?))
    }
}

impl<'a, T, F: Form<'a, T>> Form<'a, RangeInclusive<T>> for (F, F) {
    fn of(range: &'a RangeInclusive<T>) -> (F, F) {
        (F::of(range.start()), F::of(range.end()))
    }

    fn restore(self) -> Result<RangeInclusive<T>, Wrong> {
        Ok(self.0.restore()?..=self.1.restore()?)
    }
}

/// Declares stored forms: `enum EventV1<'a> of Event` or `struct LineV1<'a> of Line`, with every variant and field of
/// the type it is the form of. Variants are stored under their names in kebab-case.
macro_rules! forms {
    () => {};
    ($(#[$about:meta])* enum $name:ident<'a> of $domain:ident { $($body:tt)* } $($rest:tt)*) => {
        forms! { @enum [#[serde(bound(deserialize = "'de: 'a"))]] [<'a>] [$(#[$about])*] $name $domain { $($body)* } }
        forms! { $($rest)* }
    };
    ($(#[$about:meta])* enum $name:ident of $domain:ident { $($body:tt)* } $($rest:tt)*) => {
        forms! { @enum [] [] [$(#[$about])*] $name $domain { $($body)* } }
        forms! { $($rest)* }
    };
    ($(#[$about:meta])* struct $name:ident<'a> of $domain:ident { $($body:tt)* } $($rest:tt)*) => {
        forms! { @struct [#[serde(bound(deserialize = "'de: 'a"))]] [<'a>] [$(#[$about])*] $name $domain { $($body)* } }
        forms! { $($rest)* }
    };
    ($(#[$about:meta])* struct $name:ident of $domain:ident { $($body:tt)* } $($rest:tt)*) => {
        forms! { @struct [] [] [$(#[$about])*] $name $domain { $($body)* } }
        forms! { $($rest)* }
    };
    (@enum [$($bound:tt)*] [$($life:tt)*] [$($about:tt)*] $name:ident $domain:ident {
        $(
            $(#[$note:meta])*
            $variant:ident
            $({ $($(#[$attribute:meta])* $field:ident: $form:ty),* $(,)? })?
            $(( $($part:ident: $piece:ty),* ))?
        ),* $(,)?
    }) => {
        $($about)*
        #[derive(serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "kebab-case", deny_unknown_fields)]
        $($bound)*
        pub(in crate::stored) enum $name $($life)* {
            $($(#[$note])* $variant $({ $($(#[$attribute])* $field: $form),* })? $(( $($piece),* ))?),*
        }

        impl<'a> crate::stored::form::Form<'a, $domain> for $name $($life)* {
            fn of(value: &'a $domain) -> Self {
                match value {
                    $($domain::$variant $({ $($field),* })? $(( $($part),* ))? => {
                        $name::$variant
                            $({ $($field: crate::stored::form::Form::of($field)),* })?
                            $(( $(crate::stored::form::Form::of($part)),* ))?
                    })*
                }
            }

            fn restore(self) -> Result<$domain, crate::stored::form::Wrong> {
                Ok(match self {
                    $($name::$variant $({ $($field),* })? $(( $($part),* ))? => {
                        $domain::$variant
                            $({ $($field: crate::stored::form::Form::restore($field)?),* })?
                            $(( $(crate::stored::form::Form::restore($part)?),* ))?
                    })*
                })
            }
        }
    };
    (@struct [$($bound:tt)*] [$($life:tt)*] [$($about:tt)*] $name:ident $domain:ident {
        $($(#[$attribute:meta])* $field:ident: $form:ty),* $(,)?
    }) => {
        $($about)*
        #[derive(serde::Serialize, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        $($bound)*
        pub(in crate::stored) struct $name $($life)* {
            $($(#[$attribute])* $field: $form),*
        }

        impl<'a> crate::stored::form::Form<'a, $domain> for $name $($life)* {
            fn of(value: &'a $domain) -> Self {
                let $domain { $($field),* } = value;
                $name { $($field: crate::stored::form::Form::of($field)),* }
            }

            fn restore(self) -> Result<$domain, crate::stored::form::Wrong> {
                Ok($domain { $($field: crate::stored::form::Form::restore(self.$field)?),* })
            }
        }
    };
}

pub(super) use forms;
