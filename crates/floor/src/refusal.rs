//! Why the floor refuses a command: its own reasons, and those of the round and the link.

use std::fmt;

use rulebook::Clause;

/// Declares the floor's own reasons, most basic first, each with a sentence that can be read out.
macro_rules! reasons {
    ($($name:ident $sentence:literal,)*) => {
        /// Why the floor itself refuses a command. Checks are made in this order.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Reason {
            $(#[doc = $sentence] $name),*
        }

        impl Reason {
            /// Every reason, most basic first.
            pub const ALL: &[Reason] = &[$(Reason::$name),*];

            /// A sentence that can be read out.
            pub const fn sentence(self) -> &'static str {
                match self {
                    $(Reason::$name => $sentence),*
                }
            }
        }
    };
}

reasons! {
    HouseIsNotOpen "The house has not been opened; open it first.",
    HouseIsOpen "The house is already open.",
    NotOfTheStaff "This person holds no such office; ask a Gaming Shift Manager to appoint them.",
    NotToBeForgotten "Only a guest is forgotten who plays nowhere, waits for no award, owes nothing and is neither prohibited nor warned, with all the credits they hold.",
    NotAPlayer "This Player is not registered; register them first.",
    StaffOnly "Only staff may do this; please ask the Dealer.",
    OfficeIsTooLow "This needs a more senior office; please call a supervisor or manager.",
    NotYourDepartment "Your department does not do this; please call somebody of Table Games, or of the department that signs for it.",
    NoSuchDevice "This device has no key that holds; a Gaming Shift Manager makes one.",
    DeviceMayNot "The key of this device does not open this.",
    DeviceHasKey "This device has a key already; revoke it first.",
    DeviceTimeIsWrong "The key of a device holds until a moment that is still to come, for 366 days at most.",
    NameIsWrong "A name has 1 to 40 plain letters, digits and signs, no slash, and only single spaces between words.",
    NotMarkedAsPractice "This is a practice floor: its name, and that of each of its tables and links, begins with PRACTICE.",
    NameIsTaken "This name is taken (upper and lower case count as the same); choose another.",
    StaffDoNotPlay "Nobody is of the staff and a Player: somebody of the other kind has this name, however it is written.",
    WordsAreTooFew "Say why in a sentence of ten letters or more.",
    EvidenceIsMissing "Name what shows the cause: a malfunction needs its fault or a count sheet, a recovered reset its award.",
    NoSuchEvidence "There is no such fault, award or round at this link.",
    CustodyIsMissing "Record the camera, the number of the seal, that the deck was put in order and checked, and who holds the sealed cards.",
    DealtTheRound "Whoever dealt or entered the cards of a round, or made the key of the machine that did, does not verify its awards; please call another Pit Supervisor.",
    MeansAreWrong "An award of a wager in credits is paid in credits, one of chips in chips, cash or by cheque.",
    FixedPrizeNeedsTwo "This round pays a fixed Jackpot prize for which two people sign: propose to settle it, and let a second person confirm.",
    TextIsTooLong "A text has at most 500 characters; shorten it.",
    NoSuchPerson "Nobody of this name holds an office.",
    LastShiftManager "Two Gaming Shift Managers must remain; appoint another first.",
    NotBetweenRounds "A table is carried forward between two rounds.",
    NotTheState "What was to be carried forward is not what the log comes to; nothing was written, and the log goes on as before.",
    SystemOnly "Only the system does this, when it sets a new house up; propose it instead.",
    SetUpIsOver "The house has been set up; propose this, and let a second person confirm.",
    NotYourAccount "Only the holder of an account sets its password.",
    NotAMember "Guests and Players of the house have no account; choose another name.",
    NotInvited "There is no open invitation for this account; propose one, and let a second person confirm.",
    NotYourInvitation "Only the two people who agreed to this invitation give it out, each one half.",
    NoSecondFactor "This person has no second factor.",
    NotActing "This person does not act in that office at this time; sign in again to use your own.",
    ActingTimeIsWrong "Somebody acts in an office from one moment until a later one that is still to come, for 14 days at most.",
    NotForYourself "Nobody signs for their own appointment, dismissal, invitation or second factor; please call somebody else.",
    OneDepartmentTwice "People of two departments must sign this; please call somebody of another department.",
    DepartmentIsMissing "This takes a signature of Accounting, and nobody of Accounting is on the staff. Two of Table Games, one of them a Gaming Shift Manager, may propose and confirm the appointment of the first person of Accounting.",
    TooNew "This signature does not count for money or terms yet: the person was appointed a short time ago. Please call somebody else.",
    NotIndependent "These two people cannot sign together: one of them appointed or invited the other a short time ago. Please call somebody else.",
    AboveLimit "This is more than one person may do alone: propose it, and let a second person confirm.",
    NeedsSupervisor "More lies on this round than a Dealer alone may undo; please call a Pit Supervisor, who gives this command.",
    AboveCeiling "This is more than the house allows, also with two signatures.",
    LimitsAreWrong "These limits of the house cannot be.",
    SigningKeyIsWrong "This key cannot sign for the house.",
    DayIsNotOver "This gaming day is not over; come back when the next one has begun.",
    DayIsSigned "This gaming day is signed for. What came to light since is a correction in a later day.",
    NothingChanges "That is already the case.",
    NoSuchRulebook "There is no rulebook of this id.",
    RulebookIsWrong "Tables cannot change to this rulebook.",
    HourIsTooSoon "A change of rules, limits or settings holds from an hour that is at least one minute away when the second person signs, so that every node knows of it, and at most a year away.",
    NotInForce "This rulebook is not in force today: propose the table with a reason in words, such as training or a replay, and let a second person confirm.",
    NoSuchTable "There is no table of this name.",
    NoSuchLink "There is no link of this name.",
    TableIsOpen "The table is open.",
    TableIsClosed "The table is closed; open it first.",
    LossIsNotSigned "The log was restored from an older copy, and what is lost is not signed for: a Gaming Shift Manager signs for it before wagers are taken.",
    PlayersHaveTime "Players have 20 seconds to answer; ask again before you record that there was no answer.",
    SetupIsWrong "The table cannot be opened like this.",
    TablesPlayForIt "Tables still play for this link; close them first.",
    NoticeIsShort "The closing was announced less than 24 hours ago; Players are told that long before.",
    LinkIsWrong "The link cannot be opened like this.",
    LimitsAreTooHigh "The limits are higher than this floor can settle; lower them.",
    LastRoundNotAnnounced "Announce the last round before the table closes.",
    LastRoundIsToCome "Players were told of a last round that is still to be played; play it, or let them leave, before the table closes.",
    LastRoundIsOver "The last round was announced; close the table.",
    LastRoundIsAnnounced "The last round has already been announced.",
    UndoingIsProposed "Somebody has proposed to undo this round or to rule on it: confirm or withdraw the proposal before the next round begins.",
    RoundIsInPlay "A round is being played; finish it first.",
    ReasonIsMissing "Say why in words: the Player is told, and it stays on record.",
    LossLimitReached "The Player set a limit for what they may lose on a gaming day, and this wager could take them beyond it. A limit can be lowered at once and is raised 24 hours after the Player asks for it.",
    TimeLimitReached "The Player set a limit for how long they play on a gaming day, and it is reached. A limit can be lowered at once and is raised 24 hours after the Player asks for it.",
    NotYourLimits "Players set their own limits, and nobody else does.",
    WagersHaveChanged "The Player's wagers at this table are not those that were named; look at the table and name them again.",
    SupervisorIsCalled "A supervisor has already been called.",
    NobodyCalled "Nobody has called a supervisor to this table.",
    ReaderIsStopped "The card reader has stopped. Look at the cards on the table and at the reader, then clear it: go on with the reader, or enter the cards of this round by hand.",
    CardsAreByHand "The cards of this round are entered by hand; the reader goes on with the next round.",
    ReaderIsNotStopped "The card reader has not stopped.",
    PlayerIsProhibited "The Player is prohibited from play until readmitted.",
    DeckIsNeeded "The deck of the last round was bad; bring another one that was inspected.",
    DeckIsQuarantined "This deck was found bad; a Pit Supervisor inspects it before it is dealt again.",
    SoftwareDeals "The cards of this table come from its shuffle; they are not entered by hand.",
    TooLateToView "The round is over. When the next round begins, this shuffle is opened and shows every hand.",
    NoShuffle "The cards of this table are dealt by hand; there is no shuffle to add a salt to.",
    NotAtTheTable "Only a Player who holds a position at this table may add salts to its shuffle.",
    NoSaltIsAwaited "No salt is awaited now.",
    SaltIsWrong "This is not the next salt of the chain that was committed to.",
    SaltsHaveTime "Players have 5 seconds to open their salts; wait until these are over.",
    SaltsAreAwaited "The order of the deck is not fixed yet: Players have still to open their salts. After 5 seconds the Dealer may go on without them.",
    SeedIsLost "The seed of this shuffle cannot be read, so the cards of this round are lost. Declare that cards are missing: the round is void and all wagers are returned.",
    TableIsLost "This table cannot reach the jackpot controller: it takes no Jackpot wagers until it is restored.",
    EntryMustWait "The round has Jackpot wagers and its table cannot reach the jackpot controller: restore it, then settle.",
    JackpotIsEntered "This would change what was entered for a Jackpot wager: rule on its award at the desk instead.",
    NeedsSecondSignature "This takes back what was entered into the meter: propose it, and let a second person confirm.",
    NotAnUndoing "This command does not undo a round; give it at the table.",
    NoRoundToUndo "There is no settled round to undo; give the command at the table.",
    NoSuchRound "This is not the round at the table; nothing can be ruled on another one.",
    NoSuchProposal "There is no open proposal of this number.",
    ProposalHasExpired "The time to confirm this proposal is over; propose it again.",
    OnePersonTwice "Two different people must sign this; please call a second person.",
    NotYours "Only the person who proposed it, or a Pit Manager, may withdraw it.",
    NoAmount "The amount is zero; enter an amount.",
    AmountTooLarge "The amount is larger than this floor can keep.",
    RealMoney "This house plays for real money: it has no guests, no Players of its own and no play credits.",
    PlayMoney "This house is a demonstration with play money: no cash comes in or goes out. Grant credits instead.",
    IdentityIsMissing "From S$10,000.00 the Player's identity must be on record; enter its reference.",
    NotEnoughCredits "The Player does not have enough credits.",
    NotEnoughChips "There are fewer chips in play than that; they are bought or given out first.",
    NotSoMuchOwed "The Player does not owe that much.",
    DebtIsOpen "The Player owes the house; the debt must be repaid first.",
}

impl Reason {
    /// A refusal without a clause, for matters that the rulebooks do not cover.
    pub fn refuse(self) -> Refusal {
        Refusal { reason: format!("{self:?}"), clause: None, sentence: self.sentence().to_owned() }
    }

    /// A refusal under a clause.
    pub fn under(self, clause: Clause) -> Refusal {
        Refusal { clause: Some(clause), ..self.refuse() }
    }

    /// A refusal that also says what exactly is wrong.
    pub fn because(self, what: &impl fmt::Display) -> Refusal {
        let sentence = format!("{} {what}", self.sentence());
        Refusal { sentence, ..self.refuse() }
    }
}

/// A refused command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The reason's name, for programs.
    pub reason: String,
    /// The clause it is based on, if the rulebooks have one.
    pub clause: Option<Clause>,
    /// What is wrong and what to do instead, for people.
    pub sentence: String,
}

impl Refusal {
    /// Whether a proposal that a second person confirms would do what was refused.
    pub(crate) fn needs_two(&self) -> bool {
        [Reason::NeedsSecondSignature, Reason::AboveLimit, Reason::NotInForce]
            .iter()
            .any(|reason| self.is(*reason))
    }

    /// Whether a Pit Supervisor could do what was refused to a Dealer.
    pub(crate) fn needs_supervisor(&self) -> bool {
        self.is(Reason::NeedsSupervisor)
    }

    /// Whether only the seed of a shuffle is missing.
    pub(crate) fn is_lost_seed(&self) -> bool {
        self.is(Reason::SeedIsLost)
    }

    fn is(&self, reason: Reason) -> bool {
        self.reason == format!("{reason:?}")
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)?;
        match self.clause {
            Some(clause) => write!(f, " ({clause})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Refusal {}

impl From<round::Refusal> for Refusal {
    fn from(refusal: round::Refusal) -> Refusal {
        let sentence = refusal.reason.sentence().to_owned();
        Refusal { reason: format!("{:?}", refusal.reason), clause: Some(refusal.clause), sentence }
    }
}

impl From<jackpot::Refusal> for Refusal {
    fn from(refusal: jackpot::Refusal) -> Refusal {
        let sentence = refusal.reason.sentence().to_owned();
        Refusal { reason: format!("{:?}", refusal.reason), clause: Some(refusal.clause), sentence }
    }
}
