// Small settings of this browser for the table. Without local storage, as in a test, nothing is kept.

const storage = typeof localStorage === "undefined" ? undefined : localStorage;

export const kept = (name: string): string | null => storage?.getItem(name) ?? null;

export function keep(name: string, value: string): void {
  storage?.setItem(name, value);
}
