//! The lab against published figures, a plain brute force, the real settlement, and itself.

mod advice;
mod bonus;
mod books;
mod brute_force;
mod collude;
mod compare;
mod figures;
mod forecast;
mod format;
mod honest;
mod jackpot;
mod payouts;
mod plain;
mod protect;
mod published;
mod risk;
mod rules;
mod silence;
mod strategy;
mod support;
mod trial;
mod what_if;
