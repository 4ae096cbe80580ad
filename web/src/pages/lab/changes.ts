// Changed figures that the server refuses: shown beside their field.

const HOW = "This cannot be paid. Write “3 to 1”, “20 for 1”, “10%”, an amount such as 1500.00, or “none”.";

/** Which of the changes a refusal is about: it names the place of the figure in the book. */
export function wrongChange(problem: string, keys: readonly string[]): { key: string; words: string } | undefined {
  const longest = [...keys].sort((one, other) => other.length - one.length);
  const key = longest.find((each) => problem.includes(each));
  return key === undefined ? undefined : { key, words: HOW };
}
