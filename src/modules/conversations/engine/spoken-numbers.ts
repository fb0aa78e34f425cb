import type { CurrencyForms, NumberWords } from '../languages/language-pack.js';
import { findPack } from '../languages/languages.js';

/** ISO 4217 codes of signs that mean one currency in every language. */
const SIGNS: Readonly<Record<string, string>> = {
  '€': 'EUR',
  '£': 'GBP',
  '₩': 'KRW',
  '₹': 'INR',
  '₪': 'ILS',
  '₺': 'TRY',
  '₽': 'RUB',
  '₴': 'UAH',
  '₫': 'VND',
};

/** Currencies with the sign `$` by region; elsewhere it is the US dollar. */
const DOLLAR_SIGN: Readonly<Record<string, string>> = {
  MX: 'MXN',
  AR: 'ARS',
  CL: 'CLP',
  CO: 'COP',
  UY: 'UYU',
  DO: 'DOP',
  CU: 'CUP',
  CA: 'CAD',
  AU: 'AUD',
  NZ: 'NZD',
  SG: 'SGD',
  HK: 'HKD',
  TW: 'TWD',
};

/** The currency of each sign. @param language BCP 47 */
export function currencySigns(language: string): Readonly<Record<string, string>> {
  const [base = '', region = ''] = language.split('-');
  return {
    ...SIGNS,
    $: DOLLAR_SIGN[region] ?? 'USD',
    '¥': base === 'zh' ? 'CNY' : 'JPY',
    ...(language === 'pt-BR' && { R$: 'BRL' }),
  };
}

/** Of a number with a currency's sign that may be spelled out: "CA$20", "$1.5k" and "$20 USD" stay as they are. */
const AMOUNT = String.raw`(?:\d{1,3}(?:[\s’]\d{3})+(?:[.,]\d+)?|\d(?:[\d.,]*\d)?)`;
const SIGN = '€$£¥₩₹₪₺₽₴₫';
const MORE = String.raw`[.,]?\d|\s?[–—-]\s?[\d${SIGN}]|\s[A-Z]{3}\b`;

const THOUSAND_TO_QUADRILLION = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
/** Numbers whose words differ in some language: "миллион", "миллиона", "миллионов". */
const PLURALS = [1, 2, 5, 1.5];

/** The words of CLDR for large numbers, such as "million" and "लाख", in all forms. */
function scaleWords(language: string): string {
  const words = (['short', 'long'] as const).flatMap((compactDisplay) => {
    const format = new Intl.NumberFormat(language, { notation: 'compact', compactDisplay });
    return THOUSAND_TO_QUADRILLION.flatMap((exponent) => PLURALS.map((one) => one * 10 ** exponent))
      .flatMap((value) => format.formatToParts(value))
      .flatMap(({ type, value }) => (type === 'compact' ? value.replace(/[\u200e\u200f]|\.$/g, '') : []));
  });
  const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
  const forms = words.flatMap((word) => (word.length > 1 ? [word, word.toLowerCase(), capital(word)] : word));
  return [...new Set(forms)]
    .join('|')
    .replaceAll('.', '[.]')
    .replace(/\s/g, String.raw`\s`);
}

/** Letters that make an amount part of a word: other words follow without a space in some languages. */
const lettersIn = (language: string): string =>
  /^(?:zh|ja|ko)/.test(language) ? String.raw`\p{Script=Latin}` : String.raw`\p{L}`;

interface AmountPatterns {
  range: RegExp;
  before: RegExp;
  after: RegExp;
}

const amountPatterns = new Map<string, AmountPatterns>();

/** Cached by language. */
function amountsIn(language: string, scales: string): AmountPatterns {
  const known = amountPatterns.get(language);
  if (known) return known;
  const signs = Object.keys(currencySigns(language))
    .map((sign) => sign.replace('$', String.raw`\$`))
    .join('|');
  const pattern = (text: string): RegExp => new RegExp(text, 'gu');
  const letters = lettersIn(language);
  const start = String.raw`(?<![${letters}\p{N}${SIGN}])`;
  const end = String.raw`(?![${letters}${SIGN}]|${MORE}|\s?(?:${scaleWords(language)})(?![${letters}]))`;
  const found = {
    range: pattern(String.raw`${start}(${signs})\s?(${AMOUNT})\s?[–—-]\s?(?:\1\s?)?(${AMOUNT})${end}`),
    before: pattern(String.raw`${start}(${signs})\s?(${AMOUNT})(?:(\s(?:${scales})\b)|${end})`),
    after: pattern(String.raw`(?<![${letters}${SIGN}\d.,])(${AMOUNT})\s?(${signs})(?![${letters}\d])`),
  };
  amountPatterns.set(language, found);
  return found;
}

const DATE = /\b(\d{4})-(\d{2})-(\d{2})\b/g;
/** After a time of day, whose words include it. */
const HOURS = String.raw`(?:Uhr|heures?|uur|hrs?|h|u)(?![\p{L}-])`;
/**
 * Up to three digits on each side. More digits, also beside them, and zeros at the beginning are those of telephone
 * numbers.
 */
const BOUND = String.raw`(\d{1,2}:\d{2}|0|[1-9]\d{0,2})`;
const RANGE = new RegExp(
  String.raw`(?<![\d)${SIGN}][\s/]?|[\p{L}+:.,–—-])${BOUND}\s?[–—-]\s?${BOUND}(?![:–—-]|[\s/]?\d|\s?[–—-]\s?\d|(?!${HOURS})\p{L})`,
  'giu',
);
const TIME = new RegExp(
  String.raw`(?<![\d:.])([01]?\d|2[0-3]):([0-5]\d)(?:\s?${HOURS})?(?![\d:\p{L}]|\s?[ap]\.?m\b)`,
  'giu',
);

/** The name of a currency after an amount: the everyday one, or that of CLDR. @param amount as it is written */
export function currencyName(amount: string, code: string, language: string): string {
  // A separator before one or two last digits is decimal, others group digits.
  const [, whole = '', decimals = ''] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(amount) ?? [];
  const value = Number(`${whole.replace(/[.,\s’]/g, '')}.${decimals || '0'}`);
  const digits = { minimumFractionDigits: decimals.length, maximumFractionDigits: decimals.length };
  const { currencies, ofMillions } = findPack(language)?.numbers ?? {};
  const plural = new Intl.PluralRules(language, digits).select(value);
  const name = formOf(currencies?.[code], plural) ?? cldrName(value, code, language, digits);
  return ofMillions && plural === 'many' ? ofMillions(name) : name;
}

function formOf(forms: CurrencyForms | undefined, plural: Intl.LDMLPluralRule): string | undefined {
  if (!forms) return undefined;
  const [one, other, few = other, many = other] = forms;
  return { one, few, many }[plural as string] ?? other;
}

function cldrName(value: number, code: string, language: string, digits: Intl.NumberFormatOptions): string {
  const style = { style: 'currency', currency: code, currencyDisplay: 'name', ...digits } as const;
  const parts = new Intl.NumberFormat(language, style).formatToParts(value);
  const after = parts.slice(parts.findLastIndex(({ type }) => type === 'integer' || type === 'fraction') + 1);
  return (
    after
      .map(({ value: part }) => part)
      .join('')
      .trim() || code
  );
}

/**
 * Spells out amounts of money, times of day, dates and ranges for speech; languages without a pack keep all but dates.
 */
export function spellOutNumbers(text: string, language: string): string {
  if (!/\d/.test(text)) return text;
  const words: NumberWords | undefined = findPack(language)?.numbers;
  const dated = text.replace(DATE, (date) => spellOutDate(date, language));
  if (!words) return dated;
  const { to, time, scales = '(?!)' } = words;
  const signs = currencySigns(language);
  const amounts = amountsIn(language, scales);
  const money = (amount: string, sign: string, scale = ''): string =>
    `${amount}${scale} ${currencyName(scale === '' ? amount : '2', signs[sign] ?? '', language)}`;
  const between = to === undefined ? null : ` ${to} `;
  const spelled = dated
    .replace(RANGE, (range, from: string, upTo: string) =>
      between === null ? range : `${from}${between}${upTo}`,
    )
    .replace(amounts.range, (range, sign: string, from: string, upTo: string) =>
      between === null ? range : `${from}${between}${money(upTo, sign)}`,
    )
    .replace(amounts.before, (_, sign: string, amount: string, scale?: string) => money(amount, sign, scale))
    .replace(amounts.after, (_, amount: string, sign: string) => money(amount, sign));
  return time
    ? spelled.replace(TIME, (_, hour: string, minute: string) => time(Number(hour), minute))
    : spelled;
}

function spellOutDate(date: string, language: string): string {
  const moment = new Date(`${date}T00:00:00Z`);
  // February 30 is a day of March.
  if (Number.isNaN(moment.getTime()) || !moment.toISOString().startsWith(date)) return date;
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(moment);
}
