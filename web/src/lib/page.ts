// How every page starts: styles, settings, who is signed in, then the page itself.
import { type Component, mount } from "svelte";
import "../styles/tokens.css";
import { house } from "./house.svelte";
import { session } from "./session.svelte";
import { settings } from "./settings.svelte";

export async function startPage(page: Component, preferred: "dark" | "light" = "dark"): Promise<void> {
  settings.apply(preferred);
  const target = document.getElementById("page");
  if (target === null) throw new Error("the HTML file has no element with the id page");
  void session.loadUntilKnown();
  // No amount is shown before it is known what money it is.
  await house.load();
  target.replaceChildren();
  mount(page, { target });
}

/** The key of the house's signs, where the address has it: `#key=KEY`, which no server sees. */
export const signKey = (): string | null => new URLSearchParams(location.hash.slice(1)).get("key");

/** A parameter of the page's address, such as the table. */
export const queryParameter = (name: string): string | null => new URLSearchParams(location.search).get(name);
