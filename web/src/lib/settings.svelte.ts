// What a person set for this browser: theme, suits in four colours, motion. Kept in local storage, on <html> for the styles.

type Theme = "dark" | "light";

class Settings {
  theme = $state<Theme>("dark");
  fourColours = $state(false);

  /** Reads what was kept and puts it on the page. A page that prefers one theme may say so for people who chose none. */
  begin(preferred: Theme = "dark"): void {
    const kept = localStorage.getItem("theme");
    this.setTheme(kept === "light" || kept === "dark" ? kept : preferred, false);
    this.setFourColours(localStorage.getItem("suits") === "four", false);
  }

  setTheme(theme: Theme, keep = true): void {
    this.theme = theme;
    document.documentElement.dataset.theme = theme;
    if (keep) localStorage.setItem("theme", theme);
  }

  setFourColours(four: boolean, keep = true): void {
    this.fourColours = four;
    document.documentElement.dataset.suits = four ? "four" : "two";
    if (keep) localStorage.setItem("suits", four ? "four" : "two");
  }
}

export const settings = new Settings();

/** Whether things stay where they are for this person. */
export const stillness = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;
