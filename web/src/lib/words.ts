// Names of the API in words: "reset_by_house" or "royal-flush" as people read them.
import type { Schemas } from "./api";
import { say } from "./language.svelte";

export function inWords(name: string): string {
  const words = name.replaceAll("-", " ").replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** An order of hand in the rulebooks' words: "royal-flush" is a Royal flush. */
export const handWords = (order: Schemas["HandOrder"]): string => say(`hand.${order}`);
