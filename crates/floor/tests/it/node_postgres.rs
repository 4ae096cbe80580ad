//! Several nodes on one PostgreSQL and one link: one order, no cent of drift, tables taken over from nodes that die,
//! and a frozen node that cannot come back to what it had.

use std::io::{BufRead as _, BufReader};
use std::process::ChildStdout;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use cards::Card;
use floor::check;
use floor::node::{
    Answer, CarryRules, Clock as _, Failure, Node, Request, Service, ServiceOptions, SystemClock,
};
use floor::{Command, HouseCommand};
use jackpot::{Department, Person};
use journal::acknowledged::Acknowledged;
use journal::archive::archive_until;
use journal::{Actor, DayRule, Dealing, Event, LinkEvent, Moment, Proposal, Reader, Stream, Version};
use money::Percent;
use round::{Place as At, PlayerId};
use rulebook::Office;
use testkit::postgres::Server;
use testkit::{Signal, until};

use crate::core_rules::{new_text, to_new};
use crate::node_load::{
    Dice, boss, buy_in, house_opening, id, link, next, next_with, opening, requests, table, table_opening,
};
use crate::node_process::{self as process, Place, persist};

/// Stud tables, whose hands are all in the Players' own cards.
fn stud(number: usize) -> usize {
    2 * number + 1
}

fn begin(place: &Place, node: &str) -> Node {
    place.begin(node).expect("nothing is wrong").0
}

fn open(node: &mut Node, sender: u64, commands: Vec<(Actor, floor::Command)>) {
    for reply in node.turn(&requests(sender, commands)) {
        assert!(matches!(reply, Ok(Answer::Done(_))), "{reply:?}");
    }
}

/// Position 1 has a Royal Flush, a Straight Flush or nothing, by turns; everybody else has what is left.
fn staged(turn: u64) -> impl Fn(At) -> Card {
    let hand = match turn % 3 {
        0 => "Ah Kh Qh Jh Th",
        1 => "9s 8s 7s 6s 5s",
        _ => "2c 4d 7h 9c Jd",
    };
    let hand: Vec<Card> = hand.split(' ').map(|card| card.parse().expect("a card")).collect();
    // Every 23rd card of the deck: neighbours have nothing to do with each other.
    let deck = (0..52_u32).filter_map(|at| Card::from_index(u8::try_from(at * 23 % 52).expect("a card")));
    let rest: Vec<Card> = deck.filter(|card| !hand.contains(card)).collect();
    move |place| match place {
        At::Player(position, at) if position.0 == 1 => hand[usize::from(at)],
        At::Player(position, at) => rest[usize::from(5 * position.0 + at)],
        At::Dealer(at) => rest[usize::from(at)],
        At::Community(_) => unreachable!("stud has no community cards"),
    }
}

/// One writer: rounds at a table of its own, some commands twice, some at the other node too. Where the table is handed over
/// to the other node, the writer follows it.
fn play(own: &Service, other: &Service, number: usize, rounds: u64) {
    let table = table(stud(number));
    let sender = u64::try_from(number).expect("few") + 100;
    let mut dice = Dice(sender);
    let (mut own, mut other) = (own, other);
    let mut is_moving = false;
    for count in 1.. {
        let state = own.board().table(&table).expect("open");
        if rounds < state.number() {
            return;
        }
        let (actor, command) = next_with(&state, &mut dice, &staged(state.number() + sender));
        let request = Request::new(id(sender, count), actor, command);
        let twice = (dice.roll(5) == 0).then(|| own.submit(request.clone()));
        let answer = match persist(own, &request) {
            Err(Failure::NotHere { .. }) => {
                (own, other, is_moving) = (other, own, true);
                continue;
            }
            // The other node has just read what is new at the table.
            Ok(Answer::Refused(_)) if is_moving => continue,
            answer => answer.expect("an answer"),
        };
        is_moving = false;
        assert!(matches!(answer, Answer::Done(_)), "{request:?}: {answer:?}");
        if let Some(twice) = twice {
            assert_same_or_away(twice.recv().expect("a reply"), &answer);
        }
        if dice.roll(10) == 0 {
            assert_eq!(persist(other, &request), Ok(answer), "the other node knows the answer too");
        }
        if dice.roll(20) == 0 {
            let bought = buy_in(PlayerId::new(&format!("{table}P1")), 1);
            let request = Request::new(id(sender + 1_000, count), boss(), bought);
            let there = other.submit(request.clone());
            let here = persist(own, &request).expect("an answer");
            assert_same_or_away(there.recv().expect("a reply"), &here);
        }
    }
}

/// The same command asked once more has the same answer, or none while the database is away.
fn assert_same_or_away(reply: Result<Answer, Failure>, answer: &Answer) {
    match reply {
        Ok(again) => assert_eq!(again, *answer),
        Err(failure) => {
            let is_away = matches!(failure, Failure::Unavailable(_) | Failure::NotHere { .. });
            assert!(is_away, "{failure}");
        }
    }
}

/// Every award is the rule applied to what those before it left on the meter (3.14, M6), read from the log alone.
fn check_awards(reader: &mut dyn Reader) -> (usize, usize) {
    let (mut meter, mut straights, mut royals) = (0, 0, 0);
    let entries = reader.entries(&Stream::Link(link()), Version(0), usize::MAX).expect("the log");
    for entry in entries {
        match journal::decode(&entry.body).expect("an event") {
            Event::Link(LinkEvent::Opened { opening, .. }) => meter = opening.ten_thousandths(),
            Event::Link(LinkEvent::Jackpot(jackpot::Event::RoundEntered {
                contribution, balances, ..
            })) => {
                meter += contribution.meter.ten_thousandths();
                assert_eq!(balances.meter.ten_thousandths(), meter, "entry {}", entry.version);
            }
            Event::Link(LinkEvent::Jackpot(jackpot::Event::AwardEntered { award, balances })) => {
                assert_eq!(award.before.ten_thousandths(), meter, "what the one before left");
                let displayed = meter / 10_000;
                let percent = if award.percent == Percent::ALL { 100 } else { 10 };
                assert_eq!(award.amount.cents(), displayed * percent / 100, "{award:?}");
                meter -= award.amount.cents() * 10_000;
                if percent == 100 {
                    meter += 5_000_000 * 10_000;
                    royals += 1;
                } else {
                    straights += 1;
                }
                assert_eq!(balances.meter.ten_thousandths(), meter, "entry {}", entry.version);
            }
            _ => {}
        }
    }
    (straights, royals)
}

fn assert_accounted_for(node: &Node) {
    let balances = node.reader().expect("a reader").balances().expect("balances");
    assert_eq!(check::check(node.floor(), &balances).figure(), 0);
}

#[test]
fn two_nodes_one_link_sixteen_writers() {
    let place = Place::Database(Server::shared().new_database());
    let mut node = begin(&place, "one");
    open(&mut node, 1, house_opening());
    let spawn = |node| Service::spawn(node, ServiceOptions::default()).expect("a thread");
    let (one, two) = (spawn(node), spawn(begin(&place, "two")));
    // In turn, so that neither node has more than its share and none is handed over.
    for number in 0..16 {
        let service = if number % 2 == 0 { &one } else { &two };
        for request in requests(10 + number as u64, table_opening(stud(number), Dealing::Live)) {
            let answer = persist(service, &request);
            assert!(matches!(answer, Ok(Answer::Done(_))), "{answer:?}");
        }
    }
    until("each board shows the tables of both", || {
        one.board().tables().len() == 16 && two.board().tables().len() == 16
    });
    let announce = floor::TableCommand::Own(floor::OwnCommand::AnnounceLastRound {});
    let announce = floor::Command::Table { table: table(stud(9)), command: announce };
    let elsewhere = Request::new(id(1, 999), boss(), announce);
    let reply = one.submit(elsewhere).recv().expect("a reply");
    assert!(matches!(&reply, Err(Failure::NotHere { .. })), "{reply:?}");
    std::thread::scope(|scope| {
        for number in 0..16 {
            let (own, other) = if number % 2 == 0 { (&one, &two) } else { (&two, &one) };
            scope.spawn(move || play(own, other, number, 3));
        }
    });
    until("both boards show the same meter", || {
        let head = |service: &Service| service.board().head(&Stream::Link(link()));
        head(&one) == head(&two)
    });
    let meter = |service: &Service| service.board().link(&link()).expect("a link").link().meter();
    assert_eq!(meter(&one), meter(&two));
    one.stop().expect("it ends in order");
    two.stop().expect("it ends in order");
    let (node, recovery) = place.begin("three").expect("nothing is wrong");
    assert_eq!(recovery.tables, 16);
    assert_accounted_for(&node);
    let (straights, royals) = check_awards(&mut *node.reader().expect("a reader"));
    assert_eq!((straights, royals), (16, 16), "a Royal Flush and a Straight Flush at every table");
}

/// Nodes that begin at once on an empty database open one house, whatever each of them would call it.
#[test]
fn one_house_is_opened_by_nodes_that_begin_at_once() {
    let place = Place::Database(Server::shared().new_database());
    let begin = &|number: usize| {
        let mut setup = process::setup(&format!("node {number}"));
        setup.house = Some(["One House", "Another"][number % 2].to_owned());
        place.begin_as(setup).expect("nothing is wrong")
    };
    let nodes: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..6).map(|number| scope.spawn(move || begin(number))).collect();
        threads.into_iter().map(|thread| thread.join().expect("it begins")).collect()
    });
    let name = nodes[0].0.floor().house().name();
    assert!(nodes.iter().all(|(node, _)| node.floor().house().name() == name), "they agree on {name:?}");
    assert!(nodes.iter().any(|(_, recovery)| recovery.opened));
    let mut reader = nodes[0].0.reader().expect("a reader");
    let entries = reader.entries(&Stream::House, Version(0), usize::MAX).expect("the log");
    assert_eq!(entries.len(), 1, "it was opened once");
}

/// The database is killed and started again under load, several times: nothing acknowledged is missing, no cent drifts.
#[test]
fn the_database_is_killed() {
    let server = Server::start(&[process::QUICK_RESTART]);
    let place = Place::Database(server.new_database());
    let mut node = begin(&place, "one");
    open(&mut node, 1, house_opening());
    (0..4).for_each(|number| open(&mut node, 10 + number as u64, table_opening(stud(number), Dealing::Live)));
    let service = Service::spawn(node, ServiceOptions::default()).expect("a thread");
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let writers: Vec<_> = (0..4)
            .map(|number| {
                let service = &service;
                scope.spawn(move || play(service, service, number, 6))
            })
            .collect();
        let (service, done, server) = (&service, &done, &server);
        let killer = scope.spawn(move || {
            let entries = || -> u64 { service.board().heads().iter().map(|head| head.version.0).sum() };
            let mut kills = 0;
            while !done.load(Ordering::Relaxed) && kills < 4 {
                let before = entries();
                until("play goes on", || done.load(Ordering::Relaxed) || before + 40 < entries());
                server.kill();
                server.restart();
                kills += 1;
            }
            kills
        });
        for writer in writers {
            writer.join().expect("everything is answered in the end");
        }
        done.store(true, Ordering::Relaxed);
        assert!(2 <= killer.join().expect("the database is killed"));
    });
    service.stop().expect("it ends in order");
    let (node, _) = place.begin("two").expect("nothing is wrong");
    assert_accounted_for(&node);
    check_awards(&mut *node.reader().expect("a reader"));
}

/// Processes are killed under load, and another node goes on from what they acknowledged.
#[test]
fn processes_are_killed() {
    let mut dice = Dice(1);
    let place = Place::Database(Server::shared().new_database());
    let mut acknowledged = Vec::new();
    let mut interrupted = 0;
    for kill in 0..20 {
        let new = process::kill_at(crate::node_kill::spawn(&place, kill), process::moment(&mut dice));
        acknowledged.extend(new);
        interrupted += process::check(&place, &acknowledged, &mut dice).1;
    }
    assert!(100 < acknowledged.len() && 0 < interrupted, "{} told", acknowledged.len());
}

/// What a process tells while it lives.
#[derive(Debug, Default)]
struct Told(Arc<Mutex<(Vec<process::Acknowledged>, usize)>>);

impl Told {
    /// Listens until the process ends.
    fn listen(output: ChildStdout) -> Told {
        let told = Told::default();
        let into = Arc::clone(&told.0);
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                let mut told = into.lock().expect("nobody panicked");
                told.1 += usize::from(line == process::TURNED_AWAY);
                told.0.extend(process::read(&line));
            }
        });
        told
    }

    fn acknowledged(&self) -> Vec<process::Acknowledged> {
        self.0.lock().expect("nobody panicked").0.clone()
    }

    /// How often a client was told that its table is run elsewhere.
    fn turned_away(&self) -> usize {
        self.0.lock().expect("nobody panicked").1
    }
}

/// Whether a round is in play at a table, as a node shows it.
fn is_in_play(service: &Service, number: usize) -> bool {
    service.board().table(&table(number)).is_some_and(|table| table.round().stage().is_in_play())
}

/// F13: a node stands still, its tables are taken over, and when it goes on it cannot write to them.
#[test]
fn a_frozen_node_is_fenced() {
    let place = Place::Database(Server::shared().new_database());
    let (first, tables) = (begin(&place, "first"), process::TABLES);
    drop(first);
    let mut frozen = crate::node_kill::spawn(&place, 1);
    let output = frozen.stdout.take().expect("its output is a pipe");
    let told = Told::listen(output);
    until("the process has played", || 50 < told.acknowledged().len());
    testkit::signal(&frozen, Signal::STOP);
    let node = begin(&place, "second");
    let service = Service::spawn(node, ServiceOptions::default()).expect("a thread");
    // Each table is played on here, as soon as its lease has ended, until a round is in play: between two rounds a table may
    // be offered to the other node.
    let mut dice = Dice(2);
    let mut count = 0;
    for number in 0..tables {
        until("a table is taken over", || {
            let Some(state) = service.board().table(&table(number)) else { return false };
            let (actor, command) = crate::node_load::next(&state, &mut dice);
            count += 1;
            let request = Request::new(id(77, count), actor, command);
            let reply = service.submit(request).recv().expect("a reply");
            matches!(reply, Ok(Answer::Done(_))) && is_in_play(&service, number)
        });
    }
    let heads: Vec<_> =
        (0..tables).map(|number| service.board().head(&Stream::Table(table(number)))).collect();
    testkit::signal(&frozen, Signal::CONT);
    until("the frozen node is told", || 0 < told.turned_away());
    let before = told.acknowledged().len();
    until("its clients are told again and again", || 20 < told.turned_away());
    frozen.kill().expect("a process of ours can be killed");
    frozen.wait().expect("a process of ours can be waited for");
    assert_eq!(told.acknowledged().len(), before, "it has written nothing since");
    for (number, head) in heads.into_iter().enumerate() {
        assert_eq!(
            service.board().head(&Stream::Table(table(number))),
            head,
            "nobody wrote to table {number}"
        );
    }
    service.stop().expect("it ends in order");
    process::check(&place, &told.acknowledged(), &mut dice);
}

/// A node lacks what another one has archived and taken out of the log: it goes on from the newest books, whether it hears of
/// the other or is asked something itself, and knows every cent.
#[test]
fn a_node_behind_what_was_taken_out_goes_on() {
    let archives = tempfile::tempdir().expect("a temporary folder");
    let place = Place::Database(Server::shared().new_database());
    let carrying = |name: &str| {
        let mut setup = process::setup(name);
        setup.carry = CarryRules { entries: 20, all_entries: 100 };
        place.begin_as(setup).expect("nothing is wrong").0
    };
    let mut one = carrying("one");
    open(&mut one, 1, opening(2, Dealing::Software));
    let (mut asked, mut told) = (carrying("asked"), carrying("told"));
    let mut dice = Dice(7);
    for count in 0..400 {
        let number = usize::try_from(count % 2).expect("small");
        let state = one.floor().table(&table(number)).expect("open").clone();
        let (actor, command) = next(&state, &mut dice);
        let request = Request::new(id(2, count), actor, command);
        assert!(matches!(one.turn(std::slice::from_ref(&request)).as_slice(), [Ok(_)]));
    }
    one.seal().expect("it is sealed");
    let mut reader = one.reader().expect("a reader");
    let moved =
        archive_until(&mut *reader, archives.path(), Moment(u64::MAX), DayRule::default()).expect("archived");
    drop(reader);
    assert!(0 < one.prune(&moved.pruning, 1).expect("taken out"));
    let heads = one.reader().expect("a reader").heads().expect("heads");
    let mut acknowledged = Vec::new();
    for stream in [Stream::House, Stream::Table(table(0))] {
        let head = told.board().head(&stream).expect("it is known");
        let known = head.version;
        let first = one.reader().expect("a reader").entries(&stream, known, 1).expect("entries");
        assert!(first.iter().all(|first| known.next() < first.version), "{stream} was not taken out");
        acknowledged.push(Acknowledged { head, at: Moment(1) });
    }

    let hints: Vec<(Stream, Version)> =
        heads.iter().map(|head| (head.stream.clone(), head.version)).collect();
    told.heard(&hints).expect("it goes on");
    let bought = Request::new(id(3, 1), boss(), buy_in(PlayerId::new("T0P1"), 5));
    let replies = asked.turn(std::slice::from_ref(&bought));
    assert!(matches!(replies.as_slice(), [Ok(Answer::Done(_))]), "{replies:?}");
    let news = asked.board().head(&Stream::House).expect("a house").version;
    for node in [&mut told, &mut one] {
        node.heard(&[(Stream::House, news)]).expect("it follows");
    }
    for node in [&asked, &told] {
        assert_eq!(node.stopped(), None);
        assert_eq!(node.floor().house(), one.floor().house());
        for number in 0..2 {
            assert_eq!(node.floor().table(&table(number)), one.floor().table(&table(number)));
            assert_eq!(node.board().table(&table(number)), one.board().table(&table(number)));
        }
        assert_accounted_for(node);
        let posted: Vec<_> = heads.iter().map(|head| node.board().head(&head.stream)).collect();
        let expected: Vec<_> = heads.iter().map(|head| one.board().head(&head.stream)).collect();
        assert_eq!(posted, expected);
    }
    // Nor is it lost to a node that had acknowledged it and starts again.
    let mut setup = process::setup("again");
    setup.acknowledged = acknowledged;
    place.begin_as(setup).expect("what was archived is not lost");
}

/// A row that says that another node runs a table does not keep a start from verifying: somebody who may write to the
/// database moves a cent from one account to another, and inserts such a row.
#[test]
fn a_lease_hides_nothing() {
    let (server, url) = (Server::shared(), Server::shared().new_database());
    let place = Place::Database(url.clone());
    let mut one = begin(&place, "one");
    open(&mut one, 1, opening(2, Dealing::Software));
    one.close().expect("it stops in order");
    let sql = "UPDATE account SET balance = balance + 10000 WHERE name = 'wallet/T0P1';
               UPDATE account SET balance = balance - 10000 WHERE name = 'wallet/T1P1';
               INSERT INTO lease VALUES ('Nowhere', 'nobody', 1, now() + interval '1 hour')";
    server.try_sql(&url, sql).expect("its owner may");
    let error = place.begin("two").expect_err("money was moved");
    assert!(error.to_string().contains("account wallet/T0P1"), "{error}");
}

/// A node verifies the log when it joins one that is playing, and finds nothing wrong with what is written meanwhile.
#[test]
fn a_node_joins_while_another_plays() {
    let place = Place::Database(Server::shared().new_database());
    let mut one = begin(&place, "one");
    open(&mut one, 1, opening(2, Dealing::Software));
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut dice = Dice(17);
            for count in 0.. {
                if is_over.load(Ordering::Relaxed) {
                    break;
                }
                let number = usize::try_from(count % 2).expect("small");
                let state = one.floor().table(&table(number)).expect("open").clone();
                let (actor, command) = next(&state, &mut dice);
                // Where the other node has taken the table, it is refused.
                drop(one.turn(&[Request::new(id(2, count), actor, command)]));
                if count % 20 == 0 {
                    drop(one.seal());
                }
            }
        });
        // All of them before anything is asserted: the other thread must come to its end.
        let joined: Vec<_> = (0..5).map(|_| place.begin("two").map(|(_, recovery)| recovery)).collect();
        is_over.store(true, Ordering::Relaxed);
        for recovery in joined {
            assert!(0 < recovery.expect("nothing is wrong").checkpoints);
        }
    });
}

/// Another node changes the rules, which writes to the house and the link. A node that hears of the link alone reads the
/// house first: the text of the book that the link took is there.
#[test]
fn a_node_that_hears_of_the_link_alone_reads_the_new_book() {
    let place = Place::Database(Server::shared().new_database());
    let mut one = begin(&place, "one");
    let abe = Person::new("Abe");
    let (person, department) = (abe.clone(), Department::Accounting);
    let appoint = Command::House(HouseCommand::Appoint { person, office: Office::Dealer, department });
    open(&mut one, 1, opening(1, Dealing::Software));
    open(&mut one, 2, vec![(Actor::System, appoint)]);
    let mut two = begin(&place, "two");

    let now = SystemClock::default().now();
    let text = new_text("pays = \"30 to 1\"", "pays = \"20 to 1\"");
    let proposal = Proposal::ChangeRules { change: to_new(text, Moment(now.0 + 3_600_000)) };
    open(&mut one, 3, vec![(boss(), Command::House(HouseCommand::Propose { proposal }))]);
    let number = one.floor().house().proposals().map(|(number, _)| number).max().expect("proposed");
    let confirm = Command::House(HouseCommand::Confirm { number });
    open(&mut one, 4, vec![(Actor::Department(abe, department), confirm)]);

    let stream = Stream::Link(link());
    let there = one.board().head(&stream).expect("a link");
    assert!(two.board().head(&stream).expect("a link").version < there.version, "the link took the book");
    two.heard(&[(stream.clone(), there.version)]).expect("it follows");
    assert_eq!(two.stopped(), None);
    assert_eq!(two.board().head(&stream), Some(there));
    assert_eq!(two.floor().house(), one.floor().house());
}
