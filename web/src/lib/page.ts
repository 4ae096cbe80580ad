// How every page starts: styles, settings, who is signed in, then the page itself.
import { type Component, mount } from "svelte";
import "../styles/tokens.css";
import { house } from "./house.svelte";
import { language } from "./language.svelte";
import { session } from "./session.svelte";
import { settings } from "./settings.svelte";

export async function startPage(page: Component, { translated = false } = {}): Promise<void> {
  settings.apply();
  const target = document.getElementById("page");
  if (target === null) throw new Error("the HTML file has no element with the id page");
  void session.loadUntilKnown();
  // No amount is shown before it is known what money it is, and no text before its language is there.
  await Promise.all([house.load(), translated ? language.load() : undefined]);
  target.replaceChildren();
  mount(page, { target });
}

/** The key of the house's signs, where the address has it: `#key=KEY`, which no server sees. */
export const signKey = (): string | null => new URLSearchParams(location.hash.slice(1)).get("key");

/** A parameter of the page's address, such as the table. */
export const queryParameter = (name: string): string | null => new URLSearchParams(location.search).get(name);
