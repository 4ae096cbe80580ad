//! The first version of every stored form.

mod award;
mod command;
mod house;
mod jackpot;
mod link;
mod round;
mod settings;
mod settlement;
mod table;
mod words;

pub(super) use house::HouseEventV1;
pub(super) use jackpot::JackpotEventV1;
pub(super) use link::LinkEventV1;
pub(super) use round::RoundEventV1;
pub(super) use table::TableEventV1;
