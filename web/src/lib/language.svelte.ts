// The language of the pages that Players see: English or Simplified Chinese, by what the browser asks for, by hand, or by
// the address (`?lang=zh`), as the sign on a wall needs it. The other pages are in English.
import { en, type Key } from "../words/en";
import type { Speak } from "./spoken";

export type LanguageName = "en" | "zh";

/** The placeholders of a text. */
type Placeholder<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;
type Values<K extends Key> = Record<Placeholder<(typeof en)[K]>, string | number>;
type Arguments<K extends Key> = [Placeholder<(typeof en)[K]>] extends [never] ? [] : [values: Values<K>];

/** Something that is said of one and of several. */
type Counted = { [K in Key]: K extends `${infer Base}.other` ? Base : never }[Key];

const LOCALES: Record<LanguageName, { locale: string; lang: string }> = {
  en: { locale: "en-SG", lang: "en" },
  zh: { locale: "zh-SG", lang: "zh-Hans" },
};

/** The texts of a page that has objects of its own: plain ones, and functions that fill one in. */
export type Texts<T> = {
  readonly [K in keyof T]: T[K] extends (...values: infer V) => string
    ? (...values: V) => string
    : T[K] extends string
      ? string
      : Texts<T[K]>;
};

interface Catalogue {
  texts: Readonly<Partial<Record<string, string>>>;
  /** The objects of single pages, by name. */
  objects: Readonly<Record<string, object>>;
  games: Readonly<Record<string, string>>;
  refusals: Readonly<Record<string, string>>;
  /** What the Dealer announces, and what it means. */
  calls: Readonly<Record<string, string>>;
  /** What the server says otherwise; in English it is as sent. */
  speak?: Speak | undefined;
}

export const ENGLISH: Catalogue = { texts: en, objects: {}, games: {}, refusals: {}, calls: {} };
const KEPT = "language";

export const isLanguage = (name: string | null): name is LanguageName => name === "en" || name === "zh";

/** The first language of a browser that the pages have. */
export const preferred = (languages: readonly string[]): LanguageName =>
  languages.map((tag) => tag.toLowerCase().split("-")[0] ?? "").find(isLanguage) ?? "en";

class Language {
  name = $state<LanguageName>("en");
  words = $state.raw<Catalogue>(ENGLISH);
  /** Whether the page is one of those that are translated. */
  translated = $state(false);

  /** What numbers and dates are written for. */
  get locale(): string {
    return LOCALES[this.name].locale;
  }

  /** Finds the language of a page that is translated. */
  load(): Promise<void> {
    this.translated = true;
    const address = new URLSearchParams(location.search).get("lang");
    const kept = localStorage.getItem(KEPT);
    if (isLanguage(address)) return this.#use(address);
    return this.#use(isLanguage(kept) ? kept : preferred(navigator.languages));
  }

  /** Changes the language by hand; this browser keeps it. */
  choose(name: LanguageName): Promise<void> {
    localStorage.setItem(KEPT, name);
    return this.#use(name);
  }

  async #use(name: LanguageName): Promise<void> {
    const words = name === "en" ? ENGLISH : await chinese().catch(() => undefined);
    // Without a connection the page stays in the language it has.
    if (words === undefined) return;
    this.words = words;
    this.name = name;
    document.documentElement.lang = LOCALES[name].lang;
  }
}

/** Chinese is loaded only by those who read it. */
const chinese = async (): Promise<Catalogue> => (await import("../words/zh")).CHINESE;

export const language = new Language();

/** A text with its placeholders filled in. */
export const fillIn = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));

/** A text of the catalogue in the language of the page. */
export function say<K extends Key>(key: K, ...[values]: Arguments<K>): string {
  const text = language.words.texts[key] ?? en[key];
  return values === undefined ? text : fillIn(text, values);
}

/** A text that depends on a number, which is its {count}. */
export function sayCount<K extends Counted>(
  base: K,
  count: number,
  values: Omit<Values<`${K}.other`>, "count"> | Record<string, never>,
): string {
  const form = new Intl.PluralRules(language.locale).select(count) === "one" ? "one" : "other";
  const text = language.words.texts[`${base}.${form}`] ?? language.words.texts[`${base}.other`] ?? en[`${base}.other`];
  return fillIn(text, { ...values, count: numberText(count) });
}

/** The texts of a page in the language of the page: those of the catalogue, else the English ones given here. */
export const inLanguage = <T extends object>(name: string, english: T): Texts<T> =>
  new Proxy(english, {
    get: (texts, key) => Reflect.get(language.words.objects[name] ?? texts, key),
  }) as Texts<T>;

/** What the Dealer announces: in English as it is heard at the table, with its meaning beside it. */
export function callText(call: string): string {
  const meaning = language.words.calls[call];
  return meaning === undefined ? `“${call}”` : `“${call}” ${meaning}`;
}

/** A whole number with its thousands apart. */
export const numberText = (value: number): string => value.toLocaleString(language.locale);

/** Why the server refused, in the language of the page; in English where there is no translation. */
export const refusalText = ({ reason, detail }: { reason: string; detail: string }): string =>
  language.words.refusals[reason] ?? detail;

/** The name of a game, by its rulebook's id such as "megalink-stud-v9". */
export const gameTitle = ({ rulebook, title }: { rulebook: string; title: string }): string =>
  language.words.games[rulebook.replace(/-v\d+$/, "")] ?? title;
