// Every text of the Player's own page, and the figures in words.
import type { Schemas } from "../../lib/api";
import { inLanguage, numberText, type Texts } from "../../lib/language.svelte";
import { money } from "../../lib/money";

type Limits = Schemas["PlayLimits"];
type Statistics = Schemas["OwnStatistics"];

const english = {
  notPlayers: "This page is for Players; the staff do not play here.",
  signInFirst: "Sign in, or sit down as a guest, to see how you play.",
  today: "Today",
  since: (time: string, zone: string) => `since ${time} in ${zone}, at all tables`,
  result: "Result",
  rounds: "Rounds",
  wagered: "Wagered",
  cameBack: "Came back",
  timePlayed: "Time played",
  minutes: (minutes: string) => `${minutes} min`,
  lossLimit: "Loss limit",
  timeLimit: "Time limit",
  used: (limit: string) => `${limit} used`,
  prohibited: "You are prohibited from play.",
  theReason: (reason: string) => `The reason: ${reason}.`,
  awardsAside: "Jackpot awards are aside.",
  account: "Your account",

  yourRounds: "Your rounds",
  newestFirst: "newest first, at all tables",
  noRounds: "You have not played a round yet.",
  round: "Round",
  when: "When",
  award: "Award",
  roundAt: (table: string, round: string) => `${table}, round ${round}`,
  void: "void",
  earlier: "Earlier rounds",

  limits: "Your limits",
  eachDay: "For each gaming day, at all tables together.",
  now: (limits: string) => `Now: ${limits}.`,
  from: (time: string, limits: string) => `From ${time}: ${limits}.`,
  mostToLose: "Most you may lose",
  emptyIsNone: "empty: no limit",
  minutesToPlay: "Minutes you may play",
  none: "no limit",
  set: "Set the limits",
  raising: (hours: string) =>
    `You raise a limit: it holds ${hours} hours after you set it. Until then the present one holds.`,
  lowering: (hours: string) => `A lower limit holds at once. A higher one holds ${hours} hours later.`,
  toItsEnd: "A round that you are in is played to its end.",
  raised: (hours: string) => `Your higher limit holds in ${hours} hours.`,
  holds: "Your limits hold from now on.",
  noLossLimit: "no limit for losses",
  lossAtMost: (amount: string) => `at most ${amount} lost`,
  noTimeLimit: "no limit for time",
  minutesAtMost: (minutes: string) => `at most ${minutes} minutes played`,
  both: (loss: string, time: string) => `${loss}, ${time}`,

  howYouPlay: "How you play",
  lastRound: "your last round",
  lastRounds: (rounds: string) => `your last ${rounds} rounds`,
  brought: (played: string) => `Ante and the wagers after it brought ${played}.`,
  perfect: (expected: string, low: string, high: string) =>
    `Perfect play brings ${expected} on average, and nineteen of twenty Players end between ${low} and ${high}.`,
  decisions: (decisions: string) => `${decisions} decisions with hands you viewed`,
  noMistake: "no mistake",
  oneMistake: "one mistake",
  mistakes: (mistakes: string) => `${mistakes} mistakes`,
  together: (cost: string) => `together they cost ${cost} on average`,
  worse: (decision: string, hand: string, better: string, cost: string) =>
    `${decision} with ${hand}; ${better} was better by ${cost}`,
  plays: { bet: "wager", check: "check", fold: "fold" },
  comma: ", ",
  semicolon: "; ",
  colon: ": ",
  stop: ".",
  allAreas: (staked: string, returned: string) => `All areas: wagered ${staked}, came back ${returned}.`,
  playFirst: "Play a round first.",
  nothingToCompare: "There is nothing to compare yet.",
  asExpected: "This is as expected: two of three Players are this near.",
  better: "This is better than expected: one of three Players is this far away or farther.",
  worseThan: "This is worse than expected: one of three Players is this far away or farther.",
  muchBetter: "This is better than expected: one of twenty Players is this far away or farther.",
  muchWorse: "This is worse than expected: one of twenty Players is this far away or farther.",
} as const;

export type MeWords = Texts<typeof english>;

export const say = inLanguage("me", english);

/** The limits in a sentence. */
export function limitsInWords({ loss, minutes }: Limits): string {
  const lose = loss == null ? say.noLossLimit : say.lossAtMost(money(loss));
  const time = minutes == null ? say.noTimeLimit : say.minutesAtMost(numberText(minutes));
  return say.both(lose, time);
}

/** Whether limits raise any of those that hold now, so that they hold later. */
export function raises(now: Limits, asked: Limits): boolean {
  const higher = (held: number | null | undefined, wanted: number | null | undefined): boolean =>
    held != null && (wanted == null || wanted > held);
  return higher(now.loss, asked.loss) || higher(now.minutes, asked.minutes);
}

/** How a result compares with what is expected: in standard deviations, and in words. */
export function compared({ played, expected, deviation }: Statistics): string {
  if (deviation === 0) return say.nothingToCompare;
  const away = (played - expected) / deviation;
  if (Math.abs(away) < 1) return say.asExpected;
  if (Math.abs(away) < 2) return away > 0 ? say.better : say.worseThan;
  return away > 0 ? say.muchBetter : say.muchWorse;
}

/** A decision by its name: "wager", "check", "fold". */
export const playName = (decision: string): string =>
  decision === "bet" || decision === "check" || decision === "fold" ? say.plays[decision] : decision;

/** How much of a limit is used, in per cent from 0 to 100; `undefined` without a limit. */
export const used = (of: number, limit: number | null | undefined): number | undefined =>
  limit == null ? undefined : limit === 0 ? 100 : Math.min(100, Math.max(0, Math.round((100 * of) / limit)));
