// The lines of the lab's rule lists, in the language of the page: "turn: flush draw, ten high".
import { say } from "../../lib/language.svelte";
import { en, type Key } from "../../words/en";

const isKey = (name: string): name is Key => name in en;

/** A condition in words; what has no translation stays as the lab writes it. */
function condition(name: string): string {
  if (name.startsWith("no ")) return say("train.rule.no", { condition: condition(name.slice(3)) });
  const key = `condition.${name.replaceAll(" ", "-")}`;
  return isKey(key) ? (say as (key: Key) => string)(key) : name;
}

/** A line of a list in words. */
export function ruleWords(line: string): string {
  const at = line.indexOf(":");
  const [street, rest] = [line.slice(0, at).trim(), line.slice(at + 1).trim()];
  if (street === "fold") return say("train.rule.fold", { classes: rest });
  const conditions = rest
    .split(",")
    .map((one) => condition(one.trim()))
    .join(say("train.rule.and"));
  const wager = street === "turn" || street === "river" || street === "bet" ? say(`area.${street}`) : street;
  return say("train.rule.wager", { wager, conditions });
}
