//! Why a floor does not take a command: for a reason of its own, or of the round's or the link's.

use std::fmt;

use rulebook::Clause;

/// Lists the floor's own reasons, most basic first, each with a sentence somebody could read out.
macro_rules! reasons {
    ($($name:ident $sentence:literal,)*) => {
        /// Why the floor itself does not take a command. Checks keep this order.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Reason {
            $(#[doc = $sentence] $name),*
        }

        impl Reason {
            /// Every reason, most basic first.
            pub const ALL: &[Reason] = &[$(Reason::$name),*];

            /// A sentence somebody could read out.
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
    HouseIsOpen "The house is open already.",
    NotOfTheStaff "This person holds no such office; ask a Gaming Shift Manager to appoint them.",
    NotAPlayer "This Player is not known; register them first.",
    StaffOnly "Only the staff may do this; please ask the Dealer.",
    OfficeIsTooLow "This needs a higher office; please call one.",
    NameIsWrong "A name has one to forty plain letters, figures and signs, no slash, and single spaces only between them.",
    NameIsTaken "This name is taken, in large letters or small; choose another.",
    TextIsTooLong "A text has at most five hundred characters; say it in fewer.",
    NoSuchPerson "Nobody of this name holds an office.",
    LastShiftManager "One Gaming Shift Manager must remain; appoint another first.",
    NothingChanges "That is so already.",
    NoSuchRulebook "There is no rulebook of this id.",
    NoSuchTable "There is no table of this name.",
    NoSuchLink "There is no link of this name.",
    TableIsOpen "The table is open.",
    TableIsClosed "The table is closed; open it first.",
    SetupIsWrong "The table cannot be opened like this.",
    LinkIsWrong "The link cannot be opened like this.",
    LimitsAreTooHigh "The limits are higher than any this floor can settle.",
    LastRoundNotAnnounced "Announce the last round before the table closes.",
    LastRoundIsOver "The last round was announced; close the table.",
    LastRoundIsAnnounced "The last round has been announced already.",
    UndoingIsProposed "It is proposed to undo this round: have it confirmed or withdrawn before the next begins.",
    RoundIsInPlay "A round is being played; finish it first.",
    PlayerIsProhibited "The Player is prohibited from play until readmitted.",
    SoftwareDeals "The cards of this table come from its shuffle; they are not entered by hand.",
    TooLateToView "The round is over; when the next one begins its shuffle is opened, and shows every hand.",
    NoShuffle "The cards of this table are dealt by hand; there is no shuffle to add a salt to.",
    NotAtTheTable "Only a Player who holds a position at this table may add a salt to its shuffle.",
    SaltIsWrong "A salt is one to sixty-four printable characters.",
    SaltIsGiven "You have added a salt to this shuffle already.",
    BetsAreClosed "The order of the deck is fixed; a salt can be added before the next close of bets.",
    TableIsLost "This table cannot reach the jackpot controller: it takes no Jackpot wagers until it is restored.",
    EntryMustWait "The round has Jackpot wagers and its table cannot reach the jackpot controller: restore it, then settle.",
    JackpotIsEntered "What was entered for this Jackpot wager would no longer be right: rule on its award at the desk.",
    NeedsSecondSignature "This takes back what was entered into the meter: propose it, and let a second person confirm.",
    NotAnUndoing "This undoes no round; give it to the table itself.",
    NoRoundToUndo "No settled round is there to be undone; what the round needs, give to the table itself.",
    NoSuchProposal "There is no open proposal of this number.",
    OnePersonTwice "Two different people must sign this; please call a second.",
    NotYours "Only the person who proposed it, or a Pit Manager, may withdraw it.",
    NoAmount "There is no amount; give one.",
    AmountTooLarge "The amount is larger than any this floor keeps.",
    NotForMembers "Play credits are for guests and for Players of the house.",
    PlayCreditsOnly "Guests and Players of the house play with credits they are given; cash is changed for members.",
    IdentityIsMissing "From S$10,000.00 on the Player's identity must be on record; give its reference.",
    NotEnoughCredits "The Player does not have enough credits.",
    NotEnoughChips "Fewer chips are out than that; record the buy-in first.",
    NotSoMuchOwed "The Player does not owe so much.",
    DebtIsOpen "The Player owes the house; let it be given back first.",
}

impl Reason {
    /// The refusal without a clause: the rulebooks do not speak of it.
    pub fn refuse(self) -> Refusal {
        Refusal { reason: format!("{self:?}"), clause: None, sentence: self.sentence().to_owned() }
    }

    /// The refusal under a clause.
    pub fn under(self, clause: Clause) -> Refusal {
        Refusal { clause: Some(clause), ..self.refuse() }
    }

    /// The refusal with what exactly is wrong.
    pub fn because(self, what: &impl fmt::Display) -> Refusal {
        let sentence = format!("{} {what}", self.sentence());
        Refusal { sentence, ..self.refuse() }
    }
}

/// A command not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The reason's name, for programs.
    pub reason: String,
    /// The clause it rests on, where the rulebooks speak of it.
    pub clause: Option<Clause>,
    /// What is wrong and what to do instead, for people.
    pub sentence: String,
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
