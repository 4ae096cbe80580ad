// The language of the pages that Players see.

class Language {
  /** What numbers and dates are written for. */
  locale = $state("en-SG");
}

export const language = new Language();
