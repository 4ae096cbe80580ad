/** What a closed card of a pile is called. */
export const cardName = (of: string): string => `One of ${of.charAt(0).toLowerCase()}${of.slice(1)}, face down`;

/** Seconds as a clock shows them. */
export function clock(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
