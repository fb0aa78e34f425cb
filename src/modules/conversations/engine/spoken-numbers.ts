/** By sign; singular and plural. */
type Currencies = Readonly<Record<string, readonly [string, string]>>;

/** Spelling rules of a language for amounts, times of day and ranges, which voices read badly. */
interface NumberWords {
  to: string;
  currencies: Currencies;
  /** Words between a number and its currency; amounts with others stay as they are. */
  scales?: string;
  /** Absent where voices read `14:30` correctly. */
  time?: (hour: number, minute: string) => string;
}

const hours =
  (word: string) =>
  (hour: number, minute: string): string =>
    minute === '00' ? `${hour} ${word}` : `${hour} ${word} ${Number(minute)}`;

const ENGLISH: NumberWords = {
  to: 'to',
  currencies: { '€': ['euro', 'euros'], $: ['dollar', 'dollars'], '£': ['pound', 'pounds'] },
  scales: 'thousand|million|billion',
  time: (hour, minute) => {
    const said = minute === '00' && hour >= 13 ? `${hour - 12}` : `${hour > 12 ? hour - 12 : hour}:${minute}`;
    return hour >= 13 ? `${said} PM` : said;
  },
};

const WORDS: Record<string, NumberWords> = {
  en: ENGLISH,
  de: {
    to: 'bis',
    currencies: { '€': ['Euro', 'Euro'], $: ['Dollar', 'Dollar'], '£': ['Pfund', 'Pfund'] },
    time: hours('Uhr'),
  },
  es: {
    to: 'a',
    currencies: { '€': ['euro', 'euros'], $: ['dólar', 'dólares'], '£': ['libra', 'libras'] },
  },
  fr: {
    to: 'à',
    currencies: { '€': ['euro', 'euros'], $: ['dollar', 'dollars'], '£': ['livre', 'livres'] },
    time: hours('heures'),
  },
  it: {
    to: 'a',
    currencies: { '€': ['euro', 'euro'], $: ['dollaro', 'dollari'], '£': ['sterlina', 'sterline'] },
  },
  pt: {
    to: 'a',
    currencies: { '€': ['euro', 'euros'], $: ['dólar', 'dólares'], '£': ['libra', 'libras'] },
  },
  nl: {
    to: 'tot',
    currencies: { '€': ['euro', 'euro'], $: ['dollar', 'dollar'], '£': ['pond', 'pond'] },
    time: hours('uur'),
  },
};

/** Signs that mean another currency than elsewhere in the language. */
const PESO = { $: ['peso', 'pesos'] } as const;
const REGIONAL: Record<string, Currencies> = {
  ...Object.fromEntries(['MX', 'AR', 'CL', 'CO', 'UY', 'DO', 'CU'].map((region) => [`es-${region}`, PESO])),
  'pt-BR': { R$: ['real', 'reais'] },
};

/** Of a number with a currency's sign that may be spelled out: "CA$20", "$1.5k" and "$20 USD" stay as they are. */
const AMOUNT = String.raw`\d(?:[\d.,]*\d)?`;
const START = String.raw`(?<![\p{L}\p{N}€$£])`;
const END = String.raw`(?![\p{L}€$£]|[.,]?\d|\s?[–—-]\s?[\d€$£]|\s[A-Z]{3}\b|\s(?:[mM]il|Mio|Mrd|[bB]il|[tT]ausend|duizend))`;

interface AmountPatterns {
  range: RegExp;
  before: RegExp;
  after: RegExp;
}

const amountPatterns = new Map<string, AmountPatterns>();

/** Cached by language. */
function amountsIn(language: string, currencies: Currencies, scales: string): AmountPatterns {
  const known = amountPatterns.get(language);
  if (known) return known;
  const signs = Object.keys(currencies)
    .map((sign) => sign.replace('$', String.raw`\$`))
    .join('|');
  const pattern = (text: string): RegExp => new RegExp(text, 'gu');
  const found = {
    range: pattern(String.raw`${START}(${signs})\s?(${AMOUNT})\s?[–—-]\s?(?:\1\s?)?(${AMOUNT})${END}`),
    before: pattern(String.raw`${START}(${signs})\s?(${AMOUNT})(?:(\s(?:${scales})\b)|${END})`),
    after: pattern(String.raw`(?<![\p{L}$€£]|[\d.,])(${AMOUNT})\s?(${signs})(?![\p{L}\d])`),
  };
  amountPatterns.set(language, found);
  return found;
}

const DATE = /\b(\d{4})-(\d{2})-(\d{2})\b/g;
/** Up to three digits on each side; longer ones are telephone numbers. */
const RANGE =
  /(?<![\d\p{L}+:.,€$£–—-])(\d{1,3}(?::\d{2})?)\s?[–—-]\s?(\d{1,3}(?::\d{2})?)(?![\d\p{L}:–—-]|\s?[–—-]\s?\d)/gu;
const TIME = /(?<![\d:.])([01]?\d|2[0-3]):([0-5]\d)(?![\d:]|\s?[ap]\.?m\b)(?:\s?(?:Uhr|heures|uur)\b)?/gi;

/**
 * Spells out amounts of money, times of day, dates and ranges for speech; unsupported languages keep them.
 */
export function spellOutNumbers(text: string, language: string): string {
  if (!/\d/.test(text)) return text;
  const words = WORDS[language.slice(0, 2).toLowerCase()];
  const dated = text.replace(DATE, (date) => spellOutDate(date, language));
  if (!words) return dated;
  const { to, time, scales = '(?!)' } = words;
  const currencies = { ...words.currencies, ...REGIONAL[language] };
  const amounts = amountsIn(language, currencies, scales);
  const money = (amount: string, sign: string, scale = ''): string =>
    `${amount}${scale} ${currencies[sign]?.[amount === '1' && scale === '' ? 0 : 1] ?? sign}`;
  const spelled = dated
    .replace(
      amounts.range,
      (_, sign: string, from: string, upTo: string) => `${from} ${to} ${money(upTo, sign)}`,
    )
    .replace(amounts.before, (_, sign: string, amount: string, scale?: string) => money(amount, sign, scale))
    .replace(amounts.after, (_, amount: string, sign: string) => money(amount, sign))
    .replace(RANGE, `$1 ${to} $2`);
  return time
    ? spelled.replace(TIME, (_, hour: string, minute: string) => time(Number(hour), minute))
    : spelled;
}

function spellOutDate(date: string, language: string): string {
  const moment = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(moment.getTime())) return date;
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(moment);
}
