//! Exercises for dealers and players. The engine of the tables makes the situation, knows the right answer and marks
//! what a learner answers, with the clause.
//!
//! A [`Drill`] follows from a rulebook, a [`Kind`] and a seed alone, so anybody can make it again. No right answer is
//! written here: it is what a [`round::Round`] or a [`jackpot::Link`] answers, so another figure in a
//! rulebook gives other answers. There is no clock, storage or randomness.

mod certificate;
mod chance;
mod course;
mod deal;
mod decision;
mod drill;
mod examination;
mod exercise;
mod kinds;
mod picture;
mod record;
mod table;
mod words;

pub use certificate::{CERTIFICATE_FORM, Certificate, seed_text};
pub use course::{Course, CourseError};
pub use decision::{Answered, Decision, DecisionMarking, Rating, Tally, ToDecide, Trainer};
pub use drill::{Drill, MarkError};
pub use examination::{Examination, Level, Paper, Score};
pub use exercise::{
    Choice, CitedClause, Exercise, Form, Given, GivenWager, Kind, MarkedQuestion, Marking, Question,
};
pub use picture::{AreaLimits, HandPicture, JackpotPicture, Picture, SeatPicture, WagerPicture};
pub use record::{AnsweredExercise, ClauseRecord, KindRecord, LearnerRecord};
