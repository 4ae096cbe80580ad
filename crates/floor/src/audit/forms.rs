//! Texts that were read before. Tables say the same again and again: the third card to position 4, bets opened, an Ante of the
//! same Player. What a text means depends on nothing else, so it is read and written again once.

use std::collections::HashMap;

use journal::{Body, Command, Event};

/// How long a text that is remembered may be. Longer ones are seldom said twice.
const LENGTH_MAX: usize = 240;

/// How many texts of each kind are remembered.
const TEXTS_MAX: usize = 20_000;

/// Events and commands by their texts: only those that are written the way the log writes them, with amounts in range.
#[derive(Debug, Default)]
pub(super) struct Forms {
    events: HashMap<Body, Event>,
    commands: HashMap<String, Command>,
}

impl Forms {
    /// The event of a body that was read before.
    pub(super) fn event(&self, body: &Body) -> Option<Event> {
        if LENGTH_MAX < body.json.len() { None } else { self.events.get(body).cloned() }
    }

    /// Remembers the event of a body that was found in order.
    pub(super) fn keep_event(&mut self, body: &Body, event: &Event) {
        if body.json.len() <= LENGTH_MAX && self.events.len() < TEXTS_MAX {
            self.events.insert(body.clone(), event.clone());
        }
    }

    /// The command of a text that was read before.
    pub(super) fn command(&self, text: &str) -> Option<Command> {
        if LENGTH_MAX < text.len() { None } else { self.commands.get(text).cloned() }
    }

    /// Remembers the command of a text that was found in order.
    pub(super) fn keep_command(&mut self, text: &str, command: &Command) {
        if text.len() <= LENGTH_MAX && self.commands.len() < TEXTS_MAX {
            self.commands.insert(text.to_owned(), command.clone());
        }
    }
}
