// The amounts a table accepts on the areas that are wagered on while bets are open.
import type { TableView } from "./api";
import type { Area } from "./game";

export interface Range {
  least: number;
  most: number;
  /** The only amounts accepted, where there are few. */
  only?: number[];
}

/** The range of an area; `undefined` where the table accepts no wager there now. */
export function rangeOf({ limits, jackpot }: Pick<TableView, "limits" | "jackpot">, area: Area): Range | undefined {
  if (area !== "jackpot") {
    const [least, most] = (limits as Partial<Record<Area, number[]>>)[area] ?? [];
    return least === undefined || most === undefined ? undefined : { least, most };
  }
  const minimum = jackpot?.minimum;
  if (jackpot == null || minimum == null || !jackpot.reachable) return undefined;
  const only: number[] = [];
  for (let times = jackpot.multiples_least; times <= jackpot.multiples_most; times += 1) only.push(minimum * times);
  return only.length === 0 ? undefined : { least: only[0] ?? minimum, most: only.at(-1) ?? minimum, only };
}
