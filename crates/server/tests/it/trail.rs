//! Gathers what is logged to the target `audit`, as it would be written.

use std::fmt::Write;
use std::sync::{Arc, Mutex, OnceLock};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

type Lines = Arc<Mutex<Vec<String>>>;

/// Everything that is logged to `audit` from now on, in this whole process.
pub(crate) fn lines() -> Lines {
    static LINES: OnceLock<Lines> = OnceLock::new();
    let gather = || {
        let lines = Lines::default();
        tracing::subscriber::set_global_default(Gather(Arc::clone(&lines))).expect("no other subscriber");
        lines
    };
    Arc::clone(LINES.get_or_init(gather))
}

struct Gather(Lines);

struct Text(String);

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        write!(self.0, "{field}={value:?} ").expect("memory can be written");
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        write!(self.0, "{field}={value} ").expect("memory can be written");
    }
}

impl Subscriber for Gather {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "audit"
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut text = Text(String::new());
        event.record(&mut text);
        self.0.lock().expect("the lines").push(text.0);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}
