// Settings of this browser: theme and a four-colour deck. Kept in local storage, and set on <html> for the styles.

type Theme = "dark" | "light";

class Settings {
  theme = $state<Theme>("dark");
  fourColours = $state(false);

  /** Applies the stored settings; people who have chosen no theme get the dark one. */
  apply(): void {
    this.setTheme(localStorage.getItem("theme") === "light" ? "light" : "dark", false);
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

/** Whether this person asked for reduced motion. */
export const prefersReducedMotion = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;
