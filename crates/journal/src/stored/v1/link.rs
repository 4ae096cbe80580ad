//! What happened to a link, its meter aside: `link.v1`.

use super::jackpot::JackpotEventV1;
use super::settings::SettingsV1;
use super::words::MeansV1;
use crate::event::{LinkEvent, Winner};
use crate::stored::form::forms;
use crate::stored::scalar::{Fine, Text};

forms! {
    /// Whose an award is.
    struct WinnerV1<'a> of Winner { award: u64, player: Text<'a>, means: MeansV1 }

    /// What happened to a link. What happened to its meter is stored under a kind of its own.
    enum LinkEventV1<'a> of LinkEvent {
        Opened { books: Vec<Text<'a>>, settings: SettingsV1, opening: Fine },
        #[serde(skip)]
        Jackpot(event: JackpotEventV1<'a>),
        Won { winners: Vec<WinnerV1<'a>> },
    }
}
