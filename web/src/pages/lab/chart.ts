// The chart of 13 by 13 hands: where each class is, its colour, and its words.
import type { Schemas } from "../../lib/api";
import { Fraction, grouped } from "../../lib/fraction";
import { money } from "../../lib/money";

type Cell = Schemas["ChartCell"];

/** How much better the wager is than a fold, in Antes; includes the jackpot where it is part of the choice. */
export function advantage(cell: Cell, ante: number): Fraction {
  if (cell.bet_cents && cell.fold_cents) {
    return Fraction.of(cell.bet_cents).minus(Fraction.of(cell.fold_cents)).over(Fraction.whole(ante));
  }
  return Fraction.of(cell.bet).minus(Fraction.of(cell.fold));
}

export interface Heat {
  /** The share of the first colour in percent; 100 from three fifths on. */
  depth: number;
  /** The share of the second colour on top. */
  over: number;
}

/** The colour of a cell, on a scale on which small values are visible too. */
export function heat(value: number, most: number): Heat {
  if (most <= 0) return { depth: 0, over: 0 };
  const part = Math.min(Math.sqrt(Math.abs(value) / most), 1);
  return { depth: Math.round(Math.min(part / 0.6, 1) * 100), over: Math.round(Math.max((part - 0.6) / 0.4, 0) * 100) };
}

export interface CellWords {
  title: string;
  bet: string;
  fold: string;
  mistake: string;
  often: string;
}

/** The words of a cell. */
export function cellWords(cell: Cell, ante: number): CellWords {
  const size = advantage(cell, ante);
  const lost = size.sign() < 0 ? size.negated() : size;
  const cents = Number(lost.times(Fraction.whole(ante)).rounded());
  const wrong = cell.best === "bet" ? "A fold" : "The Flop wager";
  return {
    title: cell.class,
    bet: `${Fraction.of(cell.bet).decimal(4, true)}`,
    fold: `${Fraction.of(cell.fold).decimal(4, true)}`,
    mistake: `${wrong} costs ${lost.decimal(4)} Antes, ${money(cents)} at this Ante.`,
    often: `${grouped(cell.combinations)} of 1,326 hands; wins ${percent(cell.wins)}, stands off ${percent(cell.stands_off)}.`,
  };
}

const percent = (part: number): string => `${(part * 100).toFixed(1)}%`;

/** The cell that an arrow key leads to. */
export function moved(at: number, key: string, columns: number, cells: number): number {
  const column = at % columns;
  const steps: Record<string, number> = {
    ArrowRight: column < columns - 1 ? at + 1 : at,
    ArrowLeft: column > 0 ? at - 1 : at,
    ArrowDown: at + columns < cells ? at + columns : at,
    ArrowUp: at >= columns ? at - columns : at,
    Home: at - column,
    End: at - column + columns - 1,
  };
  return steps[key] ?? at;
}
