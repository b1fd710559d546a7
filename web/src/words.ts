import en from "./words/en.json" with { type: "json" };
import gu from "./words/gu.json" with { type: "json" };
import hi from "./words/hi.json" with { type: "json" };

type Stem<Key> = Key extends `${infer Name}.one` ? Name : Key extends `${string}.other` ? never : Key;
export type Word = Stem<keyof typeof en>;
export type Params = Record<string, string | number>;
export const LANGUAGES = { en: "English", hi: "हिन्दी", gu: "ગુજરાતી" } as const;
export type Language = keyof typeof LANGUAGES;

const dictionaries: Record<Language, Record<string, string>> = { en, hi, gu };
let language: Language = "en";

export function speak(chosen: Language): void {
  language = chosen;
  document.documentElement.lang = chosen;
}

/** The text of a word in the page's language; `n` chooses between one and other. */
export function t(word: Word, params: Params = {}): string {
  const words = dictionaries[language];
  const form = typeof params["n"] === "number" ? new Intl.PluralRules(language).select(params["n"]) : "other";
  const text = words[word] ?? words[`${word}.${form}`] ?? words[`${word}.other`] ?? word;
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ""));
}

/** The text of a word that may not be known, such as one of tomorrow's error codes. */
export function maybe(word: string, params?: Params): string | undefined {
  const known = word in dictionaries.en || `${word}.other` in dictionaries.en;
  return known ? t(word as Word, params) : undefined;
}

/** A number with the minus that is as wide as a plus. */
export function signed(score: number): string {
  return String(score).replace("-", "−");
}

export function preferred(tags: readonly string[]): Language {
  for (const tag of tags) {
    const primary = tag.slice(0, 2).toLowerCase();
    if (primary in LANGUAGES) return primary as Language;
  }
  return "en";
}

export function dayOf(day: string): string {
  return new Intl.DateTimeFormat(language, { day: "numeric", month: "short", timeZone: "UTC" }).format(new Date(day));
}

export function dateOf(time: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(new Date(time));
}
