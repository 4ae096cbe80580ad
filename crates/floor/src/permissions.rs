//! Who may do what: for every command and every proposal the lowest office and the departments, whether a second person
//! signs, and whether the password is repeated. The floor, the server and the audit ask here; `docs/permissions.md` shows it to people.
//!
//! What a Player or an office may say in a round is the rulebooks' to say: `round` decides it, and a test compares.

use std::fmt;

use jackpot::Department;
use journal::{
    AccountHolder, Command, DeskCommand, DeviceScope, HouseCommand, OwnCommand, Proposal, TableCommand,
};
use rulebook::Office;

/// Who may give a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// The system alone.
    System,
    /// A Player for themselves, or the staff at the Player's request.
    Player,
    /// The holder of the account alone, through the server.
    Holder,
    /// The staff from this office up.
    Staff(Office),
}

/// A figure of [`journal::HouseLimits`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Cash, in one command or of one Player on one day.
    Cash,
    /// What rulings and corrections pay in a round.
    Ruling,
    /// The largest wager at a table.
    Wager,
}

/// Whether a second person signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Second {
    Never,
    /// Above a limit of the house: then it is proposed.
    Above(Limit),
    Always,
}

/// What a command takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permission {
    pub who: Who,
    /// The departments besides Table Games whose people may give it too.
    pub departments: &'static [Department],
    pub second: Second,
    /// Whether the password must have been repeated lately.
    pub password: bool,
}

/// The two who sign a proposal. The password is repeated for both signatures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signatures {
    /// The lowest office of each who is of Table Games.
    pub each: Office,
    /// The lowest office of at least one of them, where both are of Table Games.
    pub one: Office,
    /// The departments of which the other one must be. None: both are of Table Games.
    pub with: &'static [Department],
    /// Whether it moves money or changes terms: then both have been on the staff for the waiting time of the house.
    pub moves_money: bool,
}

/// Nobody outside Table Games.
const TABLE_GAMES_ONLY: &[Department] = &[];

/// Who signs for meters, their settings, links and the limits of the house.
const ACCOUNTING: &[Department] = &[Department::Accounting];

/// Who signs for people. All that can be signed by anybody outside Table Games is signed by one of these.
const INDEPENDENT: &[Department] = &[Department::Accounting, Department::Surveillance, Department::Security];

/// Everybody who has an account.
const ALL_OTHERS: &[Department] =
    &[Department::Accounting, Department::Surveillance, Department::Security, Department::Regulator];

const fn staff(office: Office) -> Permission {
    let (who, departments) = (Who::Staff(office), TABLE_GAMES_ONLY);
    Permission { who, departments, second: Second::Never, password: false }
}

impl Permission {
    const fn password(self) -> Permission {
        Permission { password: true, ..self }
    }

    const fn also(self, departments: &'static [Department]) -> Permission {
        Permission { departments, ..self }
    }

    const fn second(self, second: Second) -> Permission {
        Permission { second, ..self }
    }
}

const SYSTEM: Permission = Permission { who: Who::System, ..staff(Office::Dealer) };
const PLAYER: Permission = Permission { who: Who::Player, ..staff(Office::Dealer) };
const HOLDER: Permission = Permission { who: Who::Holder, ..staff(Office::Dealer) }.also(ALL_OTHERS);

/// To invite a Player who has a password already: the invitation opens the account to its holder.
pub const RESET_OF_PLAYER: Permission = staff(Office::PitSupervisor).password();

/// To train: to see what learners have answered, and to set an examination for somebody else. No command of the log: the server
/// asks here. Other departments may look, and set none.
pub const TRAINING: Permission = staff(Office::PitSupervisor);

/// To end the time for which another person acts in an office. Nobody gains by it, so one person is enough.
pub const END_OF_ANOTHERS_ACTING: Permission = staff(Office::PitManager).also(INDEPENDENT).password();

/// What a command takes.
pub const fn of(command: &Command) -> Permission {
    match command {
        Command::House(command) => of_house(command),
        Command::Table { command: TableCommand::Own(command), .. } => of_table(command),
        Command::Table { command: TableCommand::Round(command), .. } => of_round(command),
        Command::Desk { command, .. } => of_desk(command),
        Command::CarryForward { .. } => SYSTEM,
    }
}

/// Whether the key of a device opens a command: a shoe enters the cards of its table and reports that it stopped. No other device
/// changes anything.
pub fn is_opened_by(scope: &DeviceScope, command: &Command) -> bool {
    let Command::Table { table, command } = command else { return false };
    let enters = match command {
        TableCommand::Round(command) => {
            matches!(command, round::Command::DealCard { card: Some(_) } | round::Command::ReadCard { .. })
        }
        TableCommand::Own(command) => matches!(command, OwnCommand::StopReader { .. }),
    };
    enters && *scope == DeviceScope::Shoe { table: table.clone() }
}

/// What a command of the house takes.
pub const fn of_house(command: &HouseCommand) -> Permission {
    match command {
        // Afterwards people and links are proposed.
        HouseCommand::OpenHouse { .. }
        | HouseCommand::AcceptRollback { .. }
        | HouseCommand::StartService { .. }
        | HouseCommand::StopService { .. }
        | HouseCommand::RefuseSignIn { .. }
        | HouseCommand::DenyCommand { .. }
        | HouseCommand::ForgetGuest { .. }
        | HouseCommand::Appoint { .. }
        | HouseCommand::OpenLink { .. } => SYSTEM,
        HouseCommand::SignRollback {}
        | HouseCommand::MakeDeviceKey { .. }
        | HouseCommand::RevokeDeviceKey { .. } => staff(Office::GamingShiftManager).password(),
        HouseCommand::NoteFinding { .. } => staff(Office::PitManager).also(INDEPENDENT),
        HouseCommand::EndActing { .. } => staff(Office::Dealer).also(INDEPENDENT).password(),
        HouseCommand::SetCredential { .. }
        | HouseCommand::SetSecondFactor { .. }
        | HouseCommand::BeginSession { .. }
        | HouseCommand::EndSession { .. }
        | HouseCommand::SetPlayLimits { .. } => HOLDER,
        HouseCommand::Invite { who: AccountHolder::Player(_), .. } | HouseCommand::RegisterPlayer { .. } => {
            staff(Office::Dealer)
        }
        // Two people have agreed to it before; one of them gives the invitation out.
        HouseCommand::Invite { who: AccountHolder::Staff(_), .. } => {
            staff(Office::PitManager).also(INDEPENDENT).second(Second::Always).password()
        }
        HouseCommand::BuyIn { .. } => staff(Office::Dealer).second(Second::Above(Limit::Cash)).password(),
        HouseCommand::CashOut { .. } => {
            staff(Office::PitSupervisor).second(Second::Above(Limit::Cash)).password()
        }
        HouseCommand::RepayDebt { .. } => staff(Office::Dealer).password(),
        HouseCommand::GrantCredits { .. } => staff(Office::PitManager).password(),
        HouseCommand::OpenTable { .. } => {
            staff(Office::PitManager).second(Second::Above(Limit::Wager)).password()
        }
        HouseCommand::Propose { proposal } => {
            let Signatures { each, with, .. } = signatures(proposal);
            staff(each).also(with).second(Second::Always).password()
        }
        // What the proposal itself asks for is looked up when it is confirmed.
        HouseCommand::Confirm { .. } => {
            staff(Office::PitSupervisor).also(INDEPENDENT).second(Second::Always).password()
        }
        HouseCommand::WithdrawProposal { .. } => staff(Office::Dealer).also(INDEPENDENT),
    }
}

/// Who signs a proposal.
pub const fn signatures(proposal: &Proposal) -> Signatures {
    let managers = Signatures {
        each: Office::PitManager,
        one: Office::GamingShiftManager,
        with: TABLE_GAMES_ONLY,
        moves_money: true,
    };
    match proposal {
        Proposal::RejectAward { .. }
        | Proposal::SettleRound { .. }
        | Proposal::UndoRound { .. }
        | Proposal::ClearFault { .. }
        | Proposal::BuyIn { .. }
        | Proposal::CashOut { .. } => {
            Signatures { each: Office::PitSupervisor, one: Office::PitManager, ..managers }
        }
        // The rulebooks leave these to the Gaming Shift Manager (6.1).
        Proposal::RuleOnAward { .. }
        | Proposal::ReleaseAward { .. }
        | Proposal::OpenTable { .. }
        | Proposal::Rule { .. }
        | Proposal::ChangeTableLimits { .. } => managers,
        Proposal::SignDay { .. } => Signatures { moves_money: false, ..managers },
        // The limits say how far one department may go: it does not set them alone. Whoever has the key can sign another log.
        Proposal::AdjustMeter { .. }
        | Proposal::Reconfigure { .. }
        | Proposal::AnnounceClosing { .. }
        | Proposal::CloseLink { .. }
        | Proposal::OpenLink { .. }
        | Proposal::ChangeSigningKey { .. }
        | Proposal::ChangeRules { .. }
        | Proposal::ChangeHouseLimits { .. } => Signatures { with: ACCOUNTING, ..managers },
        Proposal::Appoint { .. }
        | Proposal::AppointActing { .. }
        | Proposal::Dismiss { .. }
        | Proposal::InviteStaff { .. }
        | Proposal::RemoveSecondFactor { .. } => {
            Signatures { with: INDEPENDENT, moves_money: false, ..managers }
        }
    }
}

/// What a command of the table itself takes.
pub const fn of_table(command: &OwnCommand) -> Permission {
    match command {
        OwnCommand::SetWagers { .. } | OwnCommand::CommitSalts { .. } | OwnCommand::OpenSalt { .. } => PLAYER,
        OwnCommand::DealAll {}
        | OwnCommand::DropSalts {}
        | OwnCommand::BringDeck { .. }
        | OwnCommand::StopReader { .. }
        | OwnCommand::ClearReader { .. }
        | OwnCommand::CallSupervisor {} => staff(Office::Dealer),
        OwnCommand::AnnounceLastRound {} | OwnCommand::Close {} | OwnCommand::AnswerCall {} => {
            staff(Office::PitSupervisor)
        }
        OwnCommand::ChangeLimits { .. } | OwnCommand::Reopen { .. } => {
            staff(Office::PitManager).second(Second::Above(Limit::Wager)).password()
        }
    }
}

/// What a command of the round takes. Where a rulebook names another office ([`round::Round::who_may`]), that one holds.
pub const fn of_round(command: &round::Command) -> Permission {
    use round::Command;
    match command {
        Command::PlaceWager { .. }
        | Command::TakeBackWager { .. }
        | Command::TakePosition { .. }
        | Command::LeavePosition { .. }
        | Command::ViewHand { .. }
        | Command::StayIn { .. }
        | Command::Decide { .. }
        | Command::ShowHand { .. }
        | Command::DeclineComparison { .. } => PLAYER,
        // After the settlement it is a correction.
        Command::Withdraw { .. } => PLAYER.second(Second::Above(Limit::Ruling)),
        Command::ViewDeclinedHand { .. } => staff(Office::PitSupervisor),
        Command::RestrictPlayer { .. } | Command::LiftRestriction { .. } => staff(Office::PitManager),
        Command::ProhibitPlayer { .. } | Command::ReadmitPlayer { .. } | Command::StopAction { .. } => {
            staff(Office::GamingShiftManager)
        }
        Command::MakeRuling { .. } => {
            staff(Office::GamingShiftManager).second(Second::Above(Limit::Ruling)).password()
        }
        // Before the settlement a Pit Supervisor makes a round void on which more lies than that limit; after it, it is a
        // correction, which two people propose.
        Command::DeclareBadCards { .. }
        | Command::CountCards { .. }
        | Command::ReportMisdeal { .. }
        | Command::GiveUpReconstruction {}
        | Command::ReportTableCount { .. }
        | Command::ReportExposedCards { .. }
        | Command::ReportHandCount { .. } => staff(Office::Dealer).second(Second::Above(Limit::Ruling)),
        Command::InformPlayer { .. }
        | Command::CorrectDecision { .. }
        | Command::CorrectWager { .. }
        | Command::OpenBets {}
        | Command::CloseBets {}
        | Command::DealCard { .. }
        | Command::ReadCard { .. }
        | Command::Expose {}
        | Command::Settle {}
        | Command::BeginNextRound {}
        | Command::Reconstruct {}
        | Command::PermitWithdrawals {}
        | Command::InvalidateHands { .. }
        | Command::ReportAbsent { .. }
        | Command::ReportHandled { .. }
        | Command::ReportNoAnswer { .. }
        | Command::ReportPowerFailure {}
        | Command::ResumePlay {} => staff(Office::Dealer),
    }
}

/// What a command of the jackpot desk takes. An award is verified, approved and paid by three different people.
pub const fn of_desk(command: &DeskCommand) -> Permission {
    match command {
        DeskCommand::Verify { .. }
        | DeskCommand::RecordDueDiligence { .. }
        | DeskCommand::RestoreTable { .. } => staff(Office::PitSupervisor),
        DeskCommand::LoseTable { .. } | DeskCommand::PrintSlip { .. } => staff(Office::Dealer),
        DeskCommand::ReportFault { .. } | DeskCommand::LoseSilentTable { .. } => SYSTEM,
        DeskCommand::Approve { .. } => staff(Office::PitManager).second(Second::Always).password(),
        DeskCommand::Pay { .. } => staff(Office::Dealer).second(Second::Always).password(),
    }
}

impl Who {
    /// The least office of Table Games that may.
    pub(crate) const fn office(self) -> Office {
        match self {
            Who::System | Who::Player | Who::Holder => Office::Dealer,
            Who::Staff(office) => office,
        }
    }
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Who::System => f.write_str("the system"),
            Who::Player => f.write_str("the Player, or a Dealer at their request"),
            Who::Holder => f.write_str("the holder of the account"),
            Who::Staff(office) => office.fmt(f),
        }
    }
}

impl fmt::Display for Second {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Second::Never => "no",
            Second::Above(Limit::Cash) => "above the limit for cash",
            Second::Above(Limit::Ruling) => "above the limit for rulings",
            Second::Above(Limit::Wager) => "above the limit for wagers",
            Second::Always => "yes",
        })
    }
}
