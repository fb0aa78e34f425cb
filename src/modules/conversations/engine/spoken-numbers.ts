/** How a language says what voices read badly: amounts, times of day, ranges. */
interface NumberWords {
  to: string;
  /** Singular and plural. */
  currencies: Record<string, readonly [string, string]>;
  /** Absent where voices read `14:30` as people say it. */
  time?: (hour: number, minute: string) => string;
}

const hours =
  (word: string) =>
  (hour: number, minute: string): string =>
    minute === '00' ? `${hour} ${word}` : `${hour} ${word} ${Number(minute)}`;

const ENGLISH: NumberWords = {
  to: 'to',
  currencies: { '€': ['euro', 'euros'], $: ['dollar', 'dollars'], '£': ['pound', 'pounds'] },
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

const DATE = /\b(\d{4})-(\d{2})-(\d{2})\b/g;
const BEFORE = /([€$£])\s?(\d(?:[\d.,]*\d)?)(\s(?:thousand|million|billion)\b)?/g;
const AFTER = /(\d(?:[\d.,]*\d)?)\s?([€$£])/g;
/** Up to three digits on each side: longer ones are parts of telephone numbers. */
const RANGE =
  /(?<![\d\p{L}+:.,–—-])(\d{1,3}(?::\d{2})?)\s?[–—-]\s?(\d{1,3}(?::\d{2})?)(?![\d\p{L}:–—-]|\s?[–—-]\s?\d)/gu;
const TIME = /(?<![\d:.])([01]?\d|2[0-3]):([0-5]\d)(?![\d:]|\s?[ap]\.?m\b)(?:\s?(?:Uhr|heures|uur)\b)?/gi;

/**
 * Writes amounts of money, times of day, dates and ranges as people say them; a language that is not known keeps them.
 */
export function sayNumbers(text: string, language: string): string {
  if (!/\d/.test(text)) return text;
  const words = WORDS[language.slice(0, 2).toLowerCase()];
  const dated = text.replace(DATE, (date) => sayDate(date, language));
  if (!words) return dated;
  const { to, currencies, time } = words;
  const money = (amount: string, sign: string, scale = ''): string =>
    `${amount}${scale} ${currencies[sign]?.[amount === '1' && scale === '' ? 0 : 1] ?? sign}`;
  const said = dated
    .replace(BEFORE, (_, sign: string, amount: string, scale?: string) => money(amount, sign, scale))
    .replace(AFTER, (_, amount: string, sign: string) => money(amount, sign))
    .replace(RANGE, `$1 ${to} $2`);
  return time ? said.replace(TIME, (_, hour: string, minute: string) => time(Number(hour), minute)) : said;
}

function sayDate(date: string, language: string): string {
  const moment = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(moment.getTime())) return date;
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(moment);
}
