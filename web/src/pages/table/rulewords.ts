// The rule of a list that applies to a hand, in words. The server sends the rule as it is written in the list.
import type { Schemas } from "../../lib/api";
import { Fraction } from "../../lib/fraction";
import { say } from "./words";

type RuleSays = Schemas["RuleSays"];
type Advice = Schemas["AdviceAnswer"];

/** The list that the coach speaks of: short enough to learn, and cheap. */
const LISTS = ["five-lines", "three-rules"];

export const coachRule = (advice: Advice): RuleSays | undefined =>
  LISTS.map((name) => advice.rules?.find(({ list }) => list === name)).find((says) => says !== undefined);

/** A rule in words: "turn: pair, no board trips". */
export function ruleText(rule: string): string {
  const [street = "", rest = ""] = rule.split(/:\s*/, 2);
  if (street === "fold") return say.rules.folds(rest);
  const names: Readonly<Record<string, string>> = say.rules.conditions;
  const parts = rest.split(/,\s*/).map((part) => {
    const name = part.replace(/^no /, "");
    const words = names[name] ?? name;
    return part === name ? words : say.rules.not(words);
  });
  const streets: Readonly<Record<string, string>> = say.rules.streets;
  return say.rules.rule(streets[street] ?? street, parts.join(say.rules.and));
}

/** What the coach's list says about a hand, and what that costs where it is not the best. */
export function ruleWords(advice: Advice, ante: number): string | undefined {
  const says = coachRule(advice);
  if (says === undefined) return undefined;
  const text = says.rule == null ? say.rules.none[says.action] : ruleText(says.rule);
  const cost = Fraction.of(says.cost);
  if (cost.sign() === 0) return say.rules.says(text);
  const cents = advice.choices[0]?.combined_cents ? cost : cost.times(Fraction.whole(ante));
  return say.rules.saysAtCost(text, cents.cents(2));
}
