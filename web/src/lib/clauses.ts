// The address of a clause: "MTHB9 3.10.2" is rule 3.10.2 of the book that is cited as MTHB9.
export function ruleAddress(clause: string): string {
  const [book = "", ...rule] = clause.split(" ");
  return `/rules?book=${encodeURIComponent(book)}#${encodeURIComponent(rule.join(" "))}`;
}
