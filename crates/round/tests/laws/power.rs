//! Power failure (5.16): every moment of a round is a moment at which the power may fail.
//!
//! Whether an outcome is established is judged a second time here, plainly: a fold or a declined hand has been seen,
//! or some wager wins, or loses, with every hand its hidden cards could be. Hands are gone through one by one wherever
//! the cards that lie face up could settle anything. They could not, and nothing is gone through,
//! - before the Dealer's hand lies open, for any wager but a Jackpot wager: the Player's hand and the Dealer's are
//!   both hidden and either may be the better; and the hole cards can be a pair or worthless;
//! - for a Jackpot wager on hidden cards before the flop: they can be a royal flush or nothing;
//! - for a Jackpot wager of THB6 before the river, unless flop and turn are four of a kind, which is paid: two hole cards
//!   and a community card to come can be the other three of a rank that lies on the board, or nothing.
//!
//! Rounds with a ruling on a single wager (6.1) are left out: what was decided in words is no matter of cards. A wager
//! that will go back for being under the minimum (5.13) counts like any other, since the outcome comes first.

use cards::{Card, CardSet, HandOrder, HandRank, Rank};
use money::Money;
use proptest::prelude::*;
use round::{
    Asker, Command, Decision, Event, Line, Outcome, Place, PlayerId, Reason, Round, Seat, Stage, TableMemory,
};
use rulebook::{BonusFollows, Game, Means, PlayingArea, Position, R5_7_1, R5_16_1, R5_16_2, Rulebook};
use testkit::script::tested_as;

use crate::support::cases;
use crate::support::chance::{Chance, Checked, hold};
use crate::support::ledger::Ledger;
use crate::support::plan::Plan;
use crate::support::play::{finish, proceed};
use crate::support::table::{PLAYERS, plain_table, stories};
use crate::support::walk::{DEALER, Mood, Walk};

#[test]
fn the_power_may_fail_at_any_moment_of_a_random_round() {
    hold(250, &stories(60), |story| {
        let mut walk = Walk::begun(&story);
        let mut chance = Chance::new(story.wagers);
        check_failure(&walk, &mut chance)?;
        for step in &story.steps {
            let (by, command) = walk.choose(*step, Mood { legal: 6, arbitrary: 4, voids: 0 });
            if walk.try_give(&by, &command) {
                check_failure(&walk, &mut chance)?;
            }
        }
        Ok(())
    });
}

#[test]
fn the_power_may_fail_at_any_moment_of_a_recorded_round() {
    let mut chance = Chance::new(0);
    let mut moments = 0;
    for played in cases::played() {
        let mut walk = played.afresh();
        for (by, command) in played.taken() {
            walk.give(by, command).expect("it was taken the first time");
            moments += 1;
            if let Err(error) = check_failure(&walk, &mut chance) {
                panic!("{error}{}", walk.story());
            }
        }
    }
    assert!(5_000 < moments, "{moments} moments of 300 rounds");
}

/// What others show can leave a hand nothing but to lose. It hardly ever does: here three hands stand off with the
/// Dealer, and all that could stand off beside them lies face up.
#[test]
fn a_hand_may_be_lost_by_what_others_show() {
    let kings = "Kc Kd Kh Ks 2c";
    check_fourth("megalink-holdem-v9", kings, "Ac 3c", ["Ad 3d", "Ah 3h", "As 3s", "Qc Qd"]);
    let royals = ["Td Jd Qd Kd Ad", "Th Jh Qh Kh Ah", "Ts Js Qs Ks As", "9c 9d 9h 9s 2c"];
    check_fourth("megalink-stud-v9", "", "Tc Jc Qc Kc Ac", royals);
}

/// Plays four hands and holds the law against the moments before and after the third is shown.
fn check_fourth(book: &str, community: &str, dealer: &str, hands: [&str; 4]) {
    let cards = |text: &str| -> Vec<Card> {
        text.split_whitespace().map(|card| card.parse().expect("a card")).collect()
    };
    let places = |place: &dyn Fn(u8) -> Place, text: &str| -> Vec<(Place, Card)> {
        (0..).map(place).zip(cards(text)).collect()
    };
    let positions = [1, 2, 3, 4].map(Position);
    let mut plan = places(&Place::Community, community);
    plan.extend(places(&Place::Dealer, dealer));
    for (position, hand) in positions.into_iter().zip(hands) {
        plan.extend(places(&|at| Place::Player(position, at), hand));
    }
    let mut walk = Walk::new(plain_table(book, 4), TableMemory::default(), Plan::of(plan));
    for (position, player) in positions.into_iter().zip(PLAYERS.iter()) {
        assert!(walk.try_give(&DEALER, &Command::TakePosition { position, player: player.clone() }));
    }
    assert!(walk.try_give(&DEALER, &Command::OpenBets {}));
    for (position, owner) in positions.into_iter().zip(PLAYERS.iter().cloned()) {
        let (area, amount, means) = (PlayingArea::Ante, Money::from_cents(5_000), Means::Chips);
        assert!(walk.try_give(&DEALER, &Command::PlaceWager { position, area, owner, amount, means }));
    }
    assert!(walk.try_give(&DEALER, &Command::CloseBets {}));
    let mut shown = 0;
    while walk.round.stage() != Stage::Settling {
        let mut commands = vec![Command::Expose {}];
        commands.extend(walk.round.next_place().map(|at| Command::DealCard { card: Some(walk.card(at)) }));
        commands.extend(positions.map(|position| Command::Decide { position, decision: Decision::Wager }));
        commands.extend(positions.map(|position| Command::ShowHand { position }));
        let command = commands.into_iter().find(|command| walk.may(command)).expect("play goes on");
        shown += usize::from(matches!(command, Command::ShowHand { .. }));
        walk.give(&DEALER, &command).expect("it may be given");
        if shown < 2 {
            continue;
        }
        if let Err(error) = check_failure(&walk, &mut Chance::new(0)) {
            panic!("{error}");
        }
        assert_eq!(is_established(&walk.round), 3 <= shown, "{shown} shown{}", walk.story());
    }
    assert_eq!(shown, 4);
}

fn check_failure(walk: &Walk, chance: &mut Chance) -> Checked {
    let ledger = Ledger::of(&walk.events);
    if !ledger.ruled.is_empty() {
        return Ok(());
    }
    let mut dark = walk.clone();
    let events = match dark.give(&DEALER, &Command::ReportPowerFailure {}) {
        Ok(events) => events,
        Err(refusal) => {
            let refused = !walk.round.stage().is_in_play() || refusal.reason == Reason::PowerIsOut;
            prop_assert!(refused, "{refusal}{}", walk.story());
            return Ok(());
        }
    };
    prop_assert!(walk.round.stage().is_in_play(), "{}", walk.story());
    let established = is_established(&walk.round);
    prop_assert_eq!(walk.round.outcome_is_established(), established, "{}", walk.story());
    let rule = if established { R5_16_2 } else { R5_16_1 };
    prop_assert_eq!(events, vec![Event::PowerFailed { established, rule }], "{}", walk.story());
    if established { check_goes_on(walk, &dark, &ledger) } else { check_may_withdraw(&dark, &ledger, chance) }
}

/// With an outcome established play continues as if nothing had been: nobody may withdraw because of it.
fn check_goes_on(walk: &Walk, dark: &Walk, ledger: &Ledger) -> Checked {
    let seed = u64::try_from(walk.events.len()).expect("few");
    let next = proceed(walk, &mut Chance::new(seed));
    prop_assert_eq!(&next, &proceed(dark, &mut Chance::new(seed)), "play continues{}", walk.story());
    if let Some((by, command)) = next {
        let (light, dark) = (walk.round.decide(&by, &command), dark.round.decide(&by, &command));
        prop_assert!(light == dark, "{command:?}: {light:?}, and {dark:?}{}", walk.story());
    }
    for player in ledger.standing_players() {
        if let Ok(events) = dark.round.decide(&DEALER, &Command::Withdraw { player }) {
            let permitted = events.iter().all(|event| event.rule() == Some(R5_7_1));
            prop_assert!(permitted, "{events:?}{}", dark.story());
        }
    }
    Ok(())
}

/// With none established each Player with a wager may withdraw, all wagers or none; until play resumes, no other.
fn check_may_withdraw(dark: &Walk, ledger: &Ledger, chance: &mut Chance) -> Checked {
    let standing: Vec<PlayerId> = ledger.standing_players().into_iter().collect();
    for player in &standing {
        let withdraw = Command::Withdraw { player: player.clone() };
        for by in [DEALER, Asker::Player(player.clone())] {
            let answer = dark.round.decide(&by, &withdraw);
            prop_assert!(answer.is_ok(), "{by:?} {withdraw:?}: {answer:?}{}", dark.story());
        }
        for (position, area, owner) in ledger.wagers.keys().filter(|(_, _, owner)| owner == player) {
            let one = Command::TakeBackWager { position: *position, area: *area, owner: owner.clone() };
            prop_assert!(dark.round.decide(&DEALER, &one).is_err(), "{one:?}{}", dark.story());
        }
    }
    if standing.is_empty() || !chance.percent(40) {
        return Ok(());
    }
    check_withdrawn(dark.clone(), ledger, &chance.pick(&standing), chance)
}

fn check_withdrawn(mut dark: Walk, before: &Ledger, leaver: &PlayerId, chance: &mut Chance) -> Checked {
    let withdraw = Command::Withdraw { player: leaver.clone() };
    prop_assert!(dark.try_give(&DEALER, &withdraw), "{}", dark.story());
    prop_assert!(!dark.try_give(&DEALER, &withdraw), "twice{}", dark.story());
    let after = Ledger::of(&dark.events);
    for wager in after.wagers.keys() {
        let (position, _, owner) = wager;
        let held = dark.round.seat(*position).and_then(|seat| seat.holder()) == Some(leaver);
        let left_with = after.hands_out.contains_key(position) && !before.hands_out.contains_key(position);
        let back = after.returned_under(wager);
        if owner == leaver {
            prop_assert!(
                !back.is_empty() || before.is_forfeited(wager),
                "{wager:?} was left behind{}",
                dark.story()
            );
        } else if !held && !left_with {
            prop_assert_eq!(back, before.returned_under(wager), "{:?} of another{}", wager, dark.story());
        }
    }
    prop_assert_eq!(finish(&mut dark, chance), Ok(()), "{}", dark.story());
    let settlement = dark.round.settlement().expect("a finished round is settled");
    let lost = |line: &Line| before.is_forfeited(&(line.position, line.area, line.owner.clone()));
    for line in settlement.lines.iter().filter(|line| line.owner == *leaver && !lost(line)) {
        let whole = line.outcome == Outcome::Returned && line.returned == line.staked && line.paid.is_zero();
        prop_assert!(whole, "{line:?} of one who withdrew{}", dark.story());
    }
    Ok(())
}

/// Whether any available wager has conclusively won or lost, by what the table can see.
fn is_established(round: &Round) -> bool {
    let table = FaceUp::of(round);
    let mut seats = round.seats().map(|(_, seat)| seat);
    seats.any(|seat| {
        let in_round = seat.is_dealt_in() && seat.out().is_none();
        in_round && (seat.has_folded() || seat.has_declined() || table.decides(seat))
    })
}

/// What lies face up, and what that leaves.
struct FaceUp<'a> {
    book: &'a Rulebook,
    board: Vec<Card>,
    dealer: Vec<Card>,
    hidden: Vec<Card>,
    /// The lowest order the Jackpot pay table pays for, and on how many community cards (4.2). In THB6 a royal or
    /// straight flush or four of a kind among all seven is paid on some line of 4.2 or 4.2.1.
    jackpot: (HandOrder, usize),
}

impl FaceUp<'_> {
    fn of(round: &Round) -> FaceUp<'_> {
        let (board, dealer) = (round.exposed_community(), round.exposed_dealer());
        let shown =
            round.seats().filter(|(_, seat)| seat.is_shown()).flat_map(|(_, seat)| seat.cards()).flatten();
        let face_up: CardSet = board.iter().chain(&dealer).copied().chain(shown).collect();
        let jackpot = match tested_as(round.book()).to_uppercase().as_str() {
            "MTHB9" => (HandOrder::Straight, 3),
            "MTHB6" => (HandOrder::Flush, 3),
            "MSSP9" => (HandOrder::Straight, 0),
            "THB6" => (HandOrder::FourOfAKind, 5),
            book => panic!("no table for {book}"),
        };
        let hidden = CardSet::FULL.difference(face_up).iter().collect();
        FaceUp { book: round.book(), board, dealer, hidden, jackpot }
    }

    /// Whether one of a hand's wagers wins, or loses, with every hand that its hidden cards could make.
    fn decides(&self, seat: &Seat) -> bool {
        if self.has_won_on_the_turn(seat) {
            return true;
        }
        let own: Vec<Card> = seat.cards().flatten().filter(|_| seat.is_shown()).collect();
        let mut wagers: Vec<(PlayingArea, Results)> = Vec::new();
        wagers.extend(self.judged(seat).map(|area| (area, Results::default())));
        // Says whether a wager is left that came out the same every time.
        let mut add = |hand: &[Card]| {
            for (area, results) in &mut wagers {
                results.add(self.result(*area, hand));
            }
            wagers.iter().any(|(_, results)| results.all_same())
        };
        let missing = self.book.hand_cards() - own.len();
        // A few hands at random nearly always tell; if not, all of them do.
        let mut some = self.hidden.clone();
        let mut chance = Chance::new(1);
        for _ in 0..10 {
            chance.shuffle(&mut some);
            if !add(&[&own, &some[..missing]].concat()) {
                return false;
            }
        }
        each_hand(&self.hidden, missing, &mut own.clone(), &mut add)
    }

    /// Whether four of a kind lie on the board with the river to come, where the Jackpot looks at all seven cards.
    fn has_won_on_the_turn(&self, seat: &Seat) -> bool {
        let four = self.board.len() == 4 && self.board.iter().all(|card| card.rank() == self.board[0].rank());
        four && self.jackpot.1 == 5 && has_jackpot_wager(seat)
    }

    /// The wagers that the cards face up could have decided.
    fn judged(&self, seat: &Seat) -> impl Iterator<Item = PlayingArea> {
        let dealer_open = self.dealer.len() == self.book.hand_cards();
        let board = self.jackpot.1;
        let jackpot = seat.is_shown() || dealer_open || board != 0 && board <= self.board.len();
        let stands = has_jackpot_wager(seat);
        let judged = move |area: &PlayingArea| match area {
            PlayingArea::Jackpot => jackpot && stands,
            _ => dealer_open && seat.has(*area),
        };
        self.book.areas().iter().copied().filter(judged)
    }

    /// Whether a wager wins (`true`), loses (`false`) or neither with this hand.
    fn result(&self, area: PlayingArea, hand: &[Card]) -> Option<bool> {
        match &self.book.game {
            _ if area == PlayingArea::Jackpot => {
                let (lowest, community) = self.jackpot;
                Some(lowest <= best(hand, &self.board[..community]).order())
            }
            Game::Holdem(rules) => {
                let (player, dealer) = (best(hand, &self.board), best(&self.dealer, &self.board));
                match area {
                    PlayingArea::Bonus => {
                        let lost = rules.bonus_follows == BonusFollows::Showdown && player < dealer;
                        Some(wins_bonus(hand) && !lost)
                    }
                    PlayingArea::Ante if dealer < player => {
                        (HandOrder::Straight <= player.order()).then_some(true)
                    }
                    _ => (player != dealer).then_some(dealer < player),
                }
            }
            Game::Stud(_) => {
                let has = |rank| self.dealer.iter().any(|card| card.rank() == rank);
                let (player, dealer) = (best(hand, &[]), best(&self.dealer, &[]));
                if dealer.order() == HandOrder::FiveOddCards && !(has(Rank::Ace) && has(Rank::King)) {
                    return (area == PlayingArea::Ante).then_some(true);
                }
                (player != dealer).then_some(dealer < player)
            }
        }
    }
}

fn has_jackpot_wager(seat: &Seat) -> bool {
    seat.shares(PlayingArea::Jackpot, None).iter().any(|share| share.out.is_none())
}

/// How a wager came out so far.
#[derive(Default)]
struct Results {
    won: bool,
    lost: bool,
    neither: bool,
}

impl Results {
    const fn add(&mut self, result: Option<bool>) {
        match result {
            Some(true) => self.won = true,
            Some(false) => self.lost = true,
            None => self.neither = true,
        }
    }

    const fn all_same(&self) -> bool {
        self.won != self.lost && !self.neither
    }
}

/// Adds every hand until one says that nothing is left to learn.
fn each_hand(
    hidden: &[Card],
    missing: usize,
    hand: &mut Vec<Card>,
    add: &mut impl FnMut(&[Card]) -> bool,
) -> bool {
    if missing == 0 {
        return add(hand);
    }
    for (place, card) in hidden.iter().enumerate() {
        hand.push(*card);
        let rest = &hidden[place + 1..];
        let left = rest.len() < missing - 1 || each_hand(rest, missing - 1, hand, add);
        hand.pop();
        if !left {
            return false;
        }
    }
    true
}

/// The best five of a hand and what it may use of the board.
fn best(hand: &[Card], board: &[Card]) -> HandRank {
    let mut cards = [hand[0]; 7];
    cards[..hand.len()].copy_from_slice(hand);
    cards[hand.len()..hand.len() + board.len()].copy_from_slice(board);
    HandRank::best_of(&cards[..hand.len() + board.len()])
}

/// A pair, or an Ace with a King, a Queen or a Jack (4.1.1).
fn wins_bonus(hole: &[Card]) -> bool {
    let (high, low) = (hole[0].rank().max(hole[1].rank()), hole[0].rank().min(hole[1].rank()));
    high == low || high == Rank::Ace && Rank::Jack <= low
}
