//! What a link is set to. Settings that contradict themselves are not read.

use ::jackpot::{Parameters, Settings};

use crate::stored::form::{Form, Wrong, forms};
use crate::stored::scalar::{Cents, Fine};

forms! {
    /// The figures of a link.
    struct SettingsV1 of Parameters {
        minimum_wager: Cents,
        contribution: u64,
        reset: Cents,
        #[serde(skip_serializing_if = "Option::is_none")]
        reserve: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        cap: Option<Cents>,
        round_contribution_max: Fine,
    }
}

impl<'a> Form<'a, Settings> for SettingsV1 {
    fn of(settings: &'a Settings) -> SettingsV1 {
        SettingsV1::of(settings.parameters())
    }

    fn restore(self) -> Result<Settings, Wrong> {
        let parameters: Parameters = self.restore()?;
        Settings::new(parameters).map_err(|error| Wrong(error.to_string()))
    }
}
