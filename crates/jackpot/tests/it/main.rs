//! The link and its meter: clause tables by rule and book, recorded cases, the desk, and laws over random histories.

mod cases;
mod control;
mod desk;
mod event_line;
mod histories;
mod laws;
mod laws_of_reentry;
mod laws_of_sharing;
mod links;
mod meters;
mod r3_14;
mod r3_15;
mod r3_15_1;
mod r3_15_2;
mod r3_15_3;
mod r3_5_3;
mod r4_2;
mod r5_3;
mod r5_7;
mod r6_1;
mod r6_2;
mod rejection;
mod reset_recovered;
mod script;
mod settings;
mod two_claims;
