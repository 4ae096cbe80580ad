// How every page starts: styles, settings, who is signed in, then the page itself.
import { type Component, mount } from "svelte";
import "../styles/tokens.css";
import { session } from "./session.svelte";
import { settings } from "./settings.svelte";

export function begin(page: Component, preferred: "dark" | "light" = "dark"): void {
  settings.begin(preferred);
  const target = document.getElementById("page");
  if (target === null) throw new Error("the HTML file has no element with the id page");
  void session.lookUntilKnown();
  target.replaceChildren();
  mount(page, { target });
}

/** A parameter of the page's address, such as the table. */
export const asked = (name: string): string | null => new URLSearchParams(location.search).get(name);
