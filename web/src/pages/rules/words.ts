// Compares two sentences word by word.

export interface Piece {
  text: string;
  only: boolean;
}

/** The second sentence, with the words marked that the first does not have at that place. */
export function wordsApart(from: string, to: string): Piece[] {
  const [left, right] = [from.split(" "), to.split(" ")];
  const kept = common(left, right);
  const pieces: Piece[] = [];
  right.forEach((word, at) => {
    const only = !kept.has(at);
    const last = pieces.at(-1);
    if (last !== undefined && last.only === only) last.text += ` ${word}`;
    else pieces.push({ text: word, only });
  });
  return pieces;
}

/** The words of the second sentence that belong to the longest common subsequence. */
function common(left: string[], right: string[]): Set<number> {
  const lengths = Array.from({ length: left.length + 1 }, () => new Array<number>(right.length + 1).fill(0));
  const at = (row: number, column: number): number => lengths[row]?.[column] ?? 0;
  for (let row = left.length - 1; row >= 0; row -= 1) {
    for (let column = right.length - 1; column >= 0; column -= 1) {
      const longest =
        left[row] === right[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
      (lengths[row] ?? [])[column] = longest;
    }
  }
  const kept = new Set<number>();
  let [row, column] = [0, 0];
  while (row < left.length && column < right.length) {
    if (left[row] === right[column]) {
      kept.add(column);
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return kept;
}
