//! The rules that code cites by number. Each must be in the register of every book of its game; a book without one is
//! refused.

use crate::clause::Rule;

/// Declares each rule once and lists them for that check.
macro_rules! rules {
    ($list:ident, $about:literal: $($name:ident = [$a:literal, $b:literal, $c:literal, $d:literal], $doc:literal;)*) => {
        $(#[doc = $doc] pub const $name: Rule = Rule::new([$a, $b, $c, $d]);)*
        #[doc = $about]
        pub(crate) const $list: &[Rule] = &[$($name),*];
    };
}

rules! { EVERY_GAME, "Rules that every book has under the same number.":
    R2_1 = [2, 1, 0, 0], "The cards.";
    R2_2 = [2, 2, 0, 0], "The layouts.";
    R2_2_2 = [2, 2, 2, 0], "The areas of a position.";
    R3_1 = [3, 1, 0, 0], "\"Place your bets, please\".";
    R3_2 = [3, 2, 0, 0], "\"No more bets\".";
    R3_4 = [3, 4, 0, 0], "The Ante, placed by one or several Players within the limits.";
    R3_4_1 = [3, 4, 1, 0], "A Player with several hands may view one.";
    R3_4_2 = [3, 4, 2, 0], "One wager per area.";
    R3_4_3 = [3, 4, 3, 0], "Restriction to one position.";
    R3_5 = [3, 5, 0, 0], "Optional wagers after the Ante.";
    R3_5_3 = [3, 5, 3, 0], "How a Jackpot wager is placed.";
    R3_5_4 = [3, 5, 4, 0], "A Jackpot wager only on the Player's own position.";
    R3_6 = [3, 6, 0, 0], "Wagers placed by staff at a Player's request.";
    R3_7 = [3, 7, 0, 0], "Dealing by an automated device.";
    R3_8 = [3, 8, 0, 0], "Dealing by hand.";
    R3_9 = [3, 9, 0, 0], "The Player's decision.";
    R3_9_1 = [3, 9, 1, 0], "Fold.";
    R3_9_2 = [3, 9, 2, 0], "The wager that keeps a hand in play.";
    R3_10 = [3, 10, 0, 0], "The Dealer's hand is exposed and compared.";
    R3_10_1 = [3, 10, 1, 0], "A declined comparison.";
    R3_10_4 = [3, 10, 4, 0], "Equal hands stand off.";
    R3_11_1 = [3, 11, 1, 0], "A royal flush.";
    R3_11_2 = [3, 11, 2, 0], "A straight flush.";
    R3_11_3 = [3, 11, 3, 0], "Four of a kind.";
    R3_11_4 = [3, 11, 4, 0], "A full house.";
    R3_11_5 = [3, 11, 5, 0], "A flush.";
    R3_11_6 = [3, 11, 6, 0], "A straight.";
    R3_11_7 = [3, 11, 7, 0], "Three of a kind.";
    R3_11_8 = [3, 11, 8, 0], "Two pairs.";
    R3_11_9 = [3, 11, 9, 0], "One pair.";
    R3_11_10 = [3, 11, 10, 0], "Five odd cards.";
    R3_12 = [3, 12, 0, 0], "Hands of one order are ranked by their cards.";
    R3_12_1 = [3, 12, 1, 0], "Equal hands stand off.";
    R3_12_2 = [3, 12, 2, 0], "Two pairs against two pairs.";
    R3_12_3 = [3, 12, 3, 0], "One pair against one pair.";
    R3_12_4 = [3, 12, 4, 0], "The lowest straight.";
    R3_12_5 = [3, 12, 5, 0], "Full house against full house.";
    R3_12_6 = [3, 12, 6, 0], "Equal straights stand off.";
    R3_14 = [3, 14, 0, 0], "First entered, first paid.";
    R4_1_1 = [4, 1, 1, 0], "The odds of the Ante and, in hold'em, of every wager.";
    R4_2 = [4, 2, 0, 0], "The Jackpot pay table.";
    R5_1_1 = [5, 1, 1, 0], "Cards extra, missing, foreign or unshuffled: void.";
    R5_1_2 = [5, 1, 2, 0], "Earlier rounds stand.";
    R5_2 = [5, 2, 0, 0], "Cards dealt wrongly, before anybody touched a card.";
    R5_3 = [5, 3, 0, 0], "Wrong number of community or Dealer's cards.";
    R5_4 = [5, 4, 0, 0], "Cards wrongly exposed.";
    R5_5 = [5, 5, 0, 0], "No wager after \"No more bets\".";
    R5_6 = [5, 6, 0, 0], "No wager is taken back after \"No more bets\".";
    R5_7 = [5, 7, 0, 0], "Wrong number of cards for one Player.";
    R5_7_1 = [5, 7, 1, 0], "Others of that round may be permitted to withdraw.";
    R5_8 = [5, 8, 0, 0], "A wrong count of the cards.";
    R5_9 = [5, 9, 0, 0], "A prohibited Player.";
    R5_10 = [5, 10, 0, 0], "Several hands in error.";
    R5_10_1 = [5, 10, 1, 0], "Several hands, some viewed.";
    R5_10_2 = [5, 10, 2, 0], "Several hands, none viewed.";
    R5_10_3 = [5, 10, 3, 0], "A Player's action stopped.";
    R5_11 = [5, 11, 0, 0], "A Player absent at a decision.";
    R5_12_1 = [5, 12, 1, 0], "A Jackpot wager without an Ante, bets open.";
    R5_12_2 = [5, 12, 2, 0], "A Jackpot wager without an Ante, bets closed.";
    R5_13 = [5, 13, 0, 0], "Wagers under the minimum.";
    R5_14 = [5, 14, 0, 0], "Wagers over the maximum.";
    R5_15 = [5, 15, 0, 0], "Earlier rounds are settled.";
    R5_16 = [5, 16, 0, 0], "Power failure.";
    R5_16_1 = [5, 16, 1, 0], "Power failure, no outcome established.";
    R5_16_2 = [5, 16, 2, 0], "Power failure, an outcome established.";
    R6_1 = [6, 1, 0, 0], "Matters that no rule covers.";
    R6_2 = [6, 2, 0, 0], "A higher office may act for a lower one.";
}

rules! { HOLDEM, "Rules of the hold'em books only.":
    R3_10_2 = [3, 10, 2, 0], "A higher hand wins.";
    R3_10_3 = [3, 10, 3, 0], "A lower hand loses.";
}

rules! { STUD, "Rules of the stud books only.":
    R3_10_2_1 = [3, 10, 2, 1], "No hand: Bets are returned.";
    R3_10_2_2 = [3, 10, 2, 2], "No hand: Antes are paid.";
    R3_10_2_3 = [3, 10, 2, 3], "No hand: Jackpot wagers are settled as usual.";
    R3_10_3_1 = [3, 10, 3, 1], "A higher hand is paid.";
    R3_10_3_2 = [3, 10, 3, 2], "A lower hand is collected.";
    R4_1_2 = [4, 1, 2, 0], "The odds of the Bet.";
    R3_10_3_3 = [3, 10, 3, 3], "Jackpot wagers are paid by their pay table.";
}
