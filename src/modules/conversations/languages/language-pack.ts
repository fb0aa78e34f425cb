/** What the service itself says in a language, and the words by which it understands a customer without a model. */
export interface LanguagePack {
  /** Legal notices. */
  disclosure: Disclosure;
  phrases: Phrases;
  transfer: TransferPhrases;
  /** To callers who are not served now; without the cause. */
  busy: string;
  /** Sounds and words of a listener, and words that answer a question by themselves; in lower case. */
  listening: string;
  okay: string;
  yes: string;
  no: string;
  /** Negations that answer nothing by themselves. */
  not?: string;
  farewell: FarewellWords;
  screening: ScreeningPhrases;
  numbers: NumberWords;
}

export interface Disclosure {
  ai: string;
  recording: string;
}

/** Sentences that are spoken without the model. */
export interface Phrases {
  /** The model ended the call without a goodbye. */
  goodbye: string;
  /** The call has reached its limit. */
  timeLimit: string;
  /** The model failed once, before its first text. */
  askToRepeat: string;
  /** The model failed in the middle of its response. */
  interrupted: string;
  /** The provider ended the response early, because of its length or the filter. */
  unfinished: string;
  /** The model failed again. */
  technicalProblem: string;
  /** The customer requested no further calls. */
  suppressed: string;
  /** The customer was silent for too long. */
  silence: string;
  /** The response takes long; used in turn. */
  waiting: readonly string[];
}

/** Sentences around a transfer, spoken without the model. */
export interface TransferPhrases {
  /** The model transferred the call without announcing it. */
  connecting: string;
  /** The transfer failed, and the assistant resumes. */
  unreached: string;
}

/** Words of a farewell. */
export interface FarewellWords {
  /** A farewell by themselves, and with a name. */
  parting: string;
  /** Show that known words are a wish: "have a nice evening", not "good evening". */
  wishes?: string;
  /** Words that may be beside them. */
  others: string;
}

/** Phrases of call screening and mailboxes, in lower case. */
export interface ScreeningPhrases {
  /** Asks for name and reason in one utterance. */
  asks: RegExp;
  /** A person who asks the same: machines demand, people ask, and speak of themselves. */
  person: RegExp;
  /** Asks for the name. Mailboxes do so, too: it is screening only with `connects` in the same utterance. */
  asksName: RegExp;
  /** Announces that the person is asked or the call connected. Mailboxes say "You are connected with …". */
  connects: RegExp;
  holds: RegExp;
  declines: RegExp;
  /** A mailbox asks for a message, or says what it is; people mention both. It may ask for name and reason, too. */
  mailbox: RegExp;
  /** Promises to call back, as mailboxes do, and people. */
  callsBack: RegExp;
  /** Announces a recording after the tone, of a mailbox or, for a name only, of screening. */
  tone: RegExp;
  /** Announces the owner of the line without a question. Companies do so, too, with a question after it. */
  reached: RegExp;
}

/** Singular and plural; the latter also of fractions. After them those of `few` and `many`, where they differ. */
export type CurrencyForms = readonly [one: string, other: string, few?: string, many?: string];

/** Spelling rules for amounts, times of day and ranges, which voices read badly. */
export interface NumberWords {
  /** Between the ends of a range; absent where it inflects them. */
  to?: string;
  /** Everyday names by ISO 4217 code; others are those of CLDR ("US dollars"). */
  currencies?: Readonly<Record<string, CurrencyForms>>;
  /** The name after whole millions, where a word joins them: "un millón de euros". */
  ofMillions?: (name: string) => string;
  /** Words between a number and its currency; amounts with others stay as they are. */
  scales?: string;
  /** Absent where voices read `14:30` correctly. */
  time?: (hour: number, minute: string) => string;
}

/** `14:30` as "14 Uhr 30". @param singular with 0 and 1, where it is another word */
export const spokenHours =
  (plural: string, singular = plural) =>
  (hour: number, minute: string): string => {
    const hours = `${hour} ${hour < 2 ? singular : plural}`;
    return minute === '00' ? hours : `${hours} ${Number(minute)}`;
  };

/** "de dollars", "d’euros" */
export const withElidedDe = (name: string): string => (/^[aeiou]/.test(name) ? `d’${name}` : `de ${name}`);

type PackChanges = {
  [Part in keyof LanguagePack]?: LanguagePack[Part] extends string | undefined
    ? LanguagePack[Part]
    : Partial<LanguagePack[Part]>;
};

/** The pack of a region: what it says as the language does is left out. */
export const changePack = (pack: LanguagePack, changes: PackChanges): LanguagePack => ({
  ...pack,
  ...changes,
  disclosure: { ...pack.disclosure, ...changes.disclosure },
  phrases: { ...pack.phrases, ...changes.phrases },
  transfer: { ...pack.transfer, ...changes.transfer },
  farewell: { ...pack.farewell, ...changes.farewell },
  screening: { ...pack.screening, ...changes.screening },
  numbers: { ...pack.numbers, ...changes.numbers },
});
