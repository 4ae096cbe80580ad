//! Two aces against two aces, in closed form: the one line of the books' Bonus that asks for the dealer's cards.

use super::counts::Deals;

/// Two aces against the other two, of all [`super::BOARDS_PER_HAND`] boards that leave four aces out.
///
/// 1,712,304 boards, each in 20 orders of flop, turn and river. The hands tie unless four or five board cards are of
/// the suit of one of the player's aces (or the dealer's): then that ace makes the higher flush. 495 · 36 boards have
/// four of a suit, 792 five. Of these 792, eight are straight flushes by themselves, and the ace betters only the one
/// from nine to king.
pub fn aces_against_aces() -> Deals {
    let flushes = 2 * (495 * 36 + 792);
    let on_board = 2 * 7;
    let mut wins = [0; 10];
    // With the ace: a royal with four of ten to king, or five from nine; a wheel with four of two to five and no six.
    let royals = 2 * (36 + 8);
    let wheels = 2 * (36 + 7);
    wins[9] = 20 * royals;
    wins[8] = 20 * wheels;
    wins[5] = 20 * (flushes - on_board - royals - wheels);
    let losses = wins.iter().sum();
    Deals { wins, ties: 20 * 1_712_304 - 2 * losses, losses }
}
