//! What the exercises must hold: every clause is trained, every answer is the engine's, a second opinion agrees.

mod answers;
mod clauses;
mod courses;
mod decisions;
mod naive;
mod procedure;
mod proof;
mod rulings;

use std::sync::Arc;

use rulebook::Rulebook;

fn books() -> Vec<Arc<Rulebook>> {
    rulebook::embedded().into_iter().map(Arc::new).collect()
}

fn original(id: &str) -> Arc<Rulebook> {
    books().into_iter().find(|book| book.id == id).expect("an embedded book")
}
