import { describe, expect, it } from '@jest/globals';
import { LANGUAGES } from '#src/database/seed/languages-and-plans.js';
import { CallScreening } from '../engine/call-screening.js';
import { isFarewell } from '../engine/farewells.js';
import { endsInQuestion, isBackchannel } from '../engine/interruption-policy.js';
import { isMailboxText } from '../engine/recorded-text.js';
import { currencyName, currencySigns, spellOutNumbers } from '../engine/spoken-numbers.js';
import { en } from './en.js';
import type { LanguagePack } from './language-pack.js';
import { ALL_PACKS, findPack } from './languages.js';
import { isYesOrNo, OKAY } from './short-answers.js';
import { SCREENING_SAMPLES } from './screening-samples.fake.js';
import { sv } from './sv.js';
import { toWords } from './word-lists.js';

/** Of the letters in a sentence; Latin for other languages. */
const SCRIPTS: Record<string, RegExp> = {
  bg: /\p{Script=Cyrillic}/gu,
  uk: /\p{Script=Cyrillic}/gu,
  ru: /\p{Script=Cyrillic}/gu,
  el: /\p{Script=Greek}/gu,
  ar: /\p{Script=Arabic}/gu,
  he: /\p{Script=Hebrew}/gu,
  hi: /\p{Script=Devanagari}/gu,
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/gu,
  ko: /\p{Script=Hangul}/gu,
  zh: /\p{Script=Han}/gu,
};
const LATIN = /\p{Script=Latin}/gu;

/** Words by which a speaker calls itself a man or a woman. */
const GENDERED =
  /désolé|navré|obrigad|encantad|dispiaciut|ł[ae]m[ .,]|должен|должна|змушен|(?:सकता|सकती|रहा|रही) हूँ/i;

/** Name and text of each sentence. */
const sentencesOf = ({ disclosure, phrases, transfer, busy }: LanguagePack): [string, string][] => [
  ...Object.entries({ ...disclosure, ...transfer, busy }),
  ...Object.entries(phrases).flatMap(([name, texts]): [string, string][] =>
    (typeof texts === 'string' ? [texts] : [...texts]).map((text: string) => [name, text]),
  ),
];

const isOfLanguage = (text: string, base: string): boolean => {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return letters > 0 && (text.match(SCRIPTS[base] ?? LATIN)?.length ?? 0) / letters > 0.9;
};

function sentenceProblems(tag: string, pack: LanguagePack): string[] {
  const base = tag.slice(0, 2);
  const others = LANGUAGES.filter((other) => other.tag.slice(0, 2) !== base).flatMap((other) => {
    const found = findPack(other.tag);
    return found ? sentencesOf(found).map(([, text]) => text) : [];
  });
  return sentencesOf(pack).flatMap(([name, text]) => [
    ...(/[.?!。？！।؟;]$/.test(text) ? [] : [`${name} has no end`]),
    ...(text.trim() === text && !/ {2}/.test(text) && text.length <= 200 ? [] : [`${name} is not one text`]),
    ...(isOfLanguage(text, base) ? [] : [`${name} is in another script`]),
    ...(GENDERED.test(text) ? [`${name} tells the gender of the voice`] : []),
    ...(others.includes(text) ? [`${name} is that of another language`] : []),
  ]);
}

function listProblems(tag: string, pack: LanguagePack): string[] {
  const { listening, okay, yes, no, farewell, phrases } = pack;
  const lists = { listening, okay, yes, no, ...farewell };
  const parting = phrases.goodbye.split(/(?<=[.。।!])\s*/u).findLast((sentence) => sentence !== '') ?? '';
  return [
    ...Object.entries(lists).flatMap(([name, list]) =>
      list.trim() === list && list !== '' && list === list.toLowerCase() ? [] : [`${name} is no list`],
    ),
    ...[...toWords(yes)].filter((word) => toWords(no).has(word)).map((word) => `${word} is yes and no`),
    ...[...toWords(listening, okay, yes)]
      .filter((word) => !isBackchannel(word, tag))
      .map((word) => `${word} is lost`),
    ...(isFarewell(parting, tag) ? [] : [`the goodbye "${parting}" is no farewell`]),
    ...(new Set(phrases.waiting).size >= 3 ? [] : ['too few waiting phrases']),
  ];
}

function screeningProblems(tag: string, { screening }: LanguagePack): string[] {
  const samples = SCREENING_SAMPLES[tag] ?? SCREENING_SAMPLES[tag.slice(0, 2)];
  if (!samples) return ['no samples of screening'];
  const matches = (text: string, kinds: readonly (keyof typeof screening)[]): boolean =>
    kinds.some((kind) => screening[kind].test(text.toLowerCase()));
  const hear = (text: string) => new CallScreening(true, []).handleUtterance(text, tag);
  return [
    ...Object.entries(screening).flatMap(([name, pattern]) => (pattern.test('') ? [`${name} fits all`] : [])),
    // `\b` is the border of a letter of English.
    ...Object.entries(screening).flatMap(([name, { source }]) =>
      /\\b[^\0-\x7f]|[^\0-\x7f]\\b/.test(source) ? [`${name} has a border beside ${source}`] : [],
    ),
    ...(hear(samples.asks) === 'asked' && matches(samples.asks, ['asks']) ? [] : ['does not know screening']),
    ...(hear(samples.person) === null &&
    (matches(samples.person, ['person']) || !matches(samples.person, ['asks']))
      ? []
      : ['takes a person for it']),
    ...(matches(samples.connects, ['connects', 'holds']) ? [] : ['does not know that it connects']),
    ...(isMailboxText(samples.mailbox) &&
    matches(samples.mailbox, ['mailbox']) &&
    matches(samples.mailbox, ['tone'])
      ? []
      : ['does not know a mailbox']),
    ...(hear(samples.mailbox) === null ? [] : ['takes a mailbox for screening']),
    ...(matches(samples.calls, ['callsBack']) ? [] : ['does not know that it calls back']),
  ];
}

/** Everyday names that are no part of those of CLDR. */
const EVERYDAY: Readonly<Record<string, string>> = { CNY: '元', TWD: '元' };

/** Names in CLDR, which Intl has: everyday ones are a part of them. */
function moneyProblems(tag: string, { numbers }: LanguagePack): string[] {
  const name = (code: string): string =>
    new Intl.NumberFormat(tag, {
      style: 'currency',
      currency: code,
      currencyDisplay: 'name',
      maximumFractionDigits: 0,
    })
      .format(20)
      .toLowerCase();
  const codes = new Set([...Object.values(currencySigns(tag)), ...Object.keys(numbers.currencies ?? {})]);
  return [...codes]
    .filter((code) => !name(code).includes(currencyName('20', code, tag).toLowerCase()))
    .filter((code) => currencyName('20', code, tag) !== EVERYDAY[code])
    .map((code) => `${code} is "${currencyName('20', code, tag)}", in CLDR "${name(code)}"`);
}

const problemsOf = (tag: string, pack: LanguagePack | undefined): string[] =>
  pack
    ? [sentenceProblems, listProblems, screeningProblems, moneyProblems].flatMap((check) => check(tag, pack))
    : ['no pack'];

const TAGS = LANGUAGES.map(({ tag }) => tag);

describe('the languages of the catalogue', () => {
  it.each([...TAGS, 'de-CH', 'zh-TW', 'es-AR', 'en-IE'])(
    '%s has all of its own sentences and words',
    (tag) => {
      expect(problemsOf(tag, findPack(tag))).toEqual([]);
    },
  );

  it('has no pack for a language that it does not know, however its name begins', () => {
    expect(['xx-XX', 'constructor', 'fil-PH', 'est-EE'].map(findPack)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it.each<[string, Partial<LanguagePack>, string]>([
    ['an English sentence', { busy: en.busy }, 'busy is that of another language'],
    [
      'an empty sentence',
      { disclosure: { ai: '', recording: sv.disclosure.recording } },
      'ai is in another script',
    ],
    ['a sentence in another script', { busy: 'Все линии заняты.' }, 'busy is in another script'],
    ['a sentence without end', { busy: 'Alla linjer är upptagna' }, 'busy has no end'],
    [
      'a missing waiting phrase',
      { phrases: { ...sv.phrases, waiting: ['Ett ögonblick.'] } },
      'too few waiting phrases',
    ],
    ['a gender', { busy: 'Desculpe, obrigado.' }, 'busy tells the gender of the voice'],
    ['an empty list', { yes: '' }, 'yes is no list'],
    ['a word for both answers', { no: 'nej ja' }, 'ja is yes and no'],
    [
      'a goodbye that it does not know',
      { phrases: { ...sv.phrases, goodbye: 'Nu slutar vi.' } },
      'is no farewell',
    ],
    ['a pattern that fits everything', { screening: { ...sv.screening, tone: /a*/ } }, 'tone fits all'],
    [
      'a mailbox of another language',
      { screening: { ...sv.screening, mailbox: /voicemail/ } },
      'does not know a mailbox',
    ],
    [
      'a border beside another letter than those of English',
      { screening: { ...sv.screening, person: /\bmig\b|\bnå\b/ } },
      'person has a border',
    ],
    ['persons left out', { screening: { ...sv.screening, person: /never/ } }, 'takes a person for it'],
  ])('finds %s in a pack', (_, defect, problem) => {
    expect(problemsOf('sv-SE', { ...sv, ...defect }).join()).toContain(problem);
  });

  it('has no two packs with the same sentences', () => {
    const disclosures = ALL_PACKS.map(({ phrases }) => phrases.askToRepeat + phrases.waiting.join());
    expect(disclosures.length - new Set(disclosures).size).toBe(1); // de and de-CH write the same.
  });
});

describe('regions', () => {
  it.each([
    ['es-MX', 'Cuesta $500 o 20 €.', 'Cuesta 500 pesos o 20 euros.'],
    ['es-ES', 'Cuesta $500.', 'Cuesta 500 dólares.'],
    ['pt-BR', 'Custa R$ 20,50.', 'Custa 20,50 reais.'],
    ['en-AU', 'It is $20.', 'It is 20 dollars.'],
    ['fr-CA', 'C’est 20 $.', 'C’est 20 dollars.'],
    ['ja-JP', '¥500です', '500 円です'],
    ['zh-CN', '¥500。', '500 元。'],
    ['zh-TW', '$500。', '500 元。'],
    ['ko-KR', '₩500', '500 원'],
    ['ro-RO', 'Costă 20 €, 3 €.', 'Costă 20 de euro, 3 euro.'],
    ['ru-RU', '5 $, 2 $, 1 $', '5 долларов США, 2 доллара США, 1 доллар США'],
    ['ru-RU', '5 ₽, 2 ₽, 21 ₽, 1,5 ₽', '5 рублей, 2 рубля, 21 рубль, 1,5 рубля'],
    ['uk-UA', '5 ₴, 2 ₴, 1 ₴', '5 гривень, 2 гривні, 1 гривня'],
    ['he-IL', '₪500', '500 שקלים'],
    ['hi-IN', '₹500', '500 रुपए'],
    ['vi-VN', '500 ₫', '500 đồng'],
    ['tr-TR', '₺500', '500 lira'],
    ['es-CO', 'Son $2.000.000 o 500 €.', 'Son 2.000.000 de pesos o 500 euros.'],
    ['fr-FR', '1 000 000 € ou 1 000 000 $.', '1 000 000 d’euros ou 1 000 000 de dollars.'],
    ['it-IT', '1.000.000 €', '1.000.000 di euro'],
    ['pt-BR', 'R$ 1.000.000', '1.000.000 de reais'],
    ['ca-ES', '1.000.000 €', '1.000.000 d’euros'],
    ['pl-PL', '1 000 000 $', '1 000 000 dolarów amerykańskich'],
    ['en-US', 'Open 00:00-12:30, then 00:30.', 'Open midnight to 12:30, then 12:30 AM.'],
    ['pl-PL', '9-17', '9 do 17'],
    ['fi-FI', '9-17', '9-17'],
  ])('%s says %s as %s', (tag, text, spoken) => {
    expect(spellOutNumbers(text, tag)).toBe(spoken);
  });

  it.each(TAGS)('%s says dates as CLDR has them', (tag) => {
    const long = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' });
    expect(spellOutNumbers('2026-03-02', tag)).toBe(long.format(new Date('2026-03-02T00:00:00Z')));
  });
});

describe('yes and no', () => {
  it.each(TAGS)('in %s: yes is a backchannel, no is none', (tag) => {
    const { yes = '', no = '' } = findPack(tag) ?? {};
    expect([...toWords(yes)].map((word) => isBackchannel(word, tag))).not.toContain(false);
    // In Polish "no" means yes, and is none of the words for no.
    expect([...toWords(no)].map((word) => isBackchannel(word, tag))).not.toContain(true);
  });

  it.each(TAGS)('in %s: yes, no and okay are answers by themselves, sounds are none', (tag) => {
    const { listening = '', okay = '', yes = '', no = '' } = findPack(tag) ?? {};
    expect([...toWords(okay, yes, no)].filter((word) => !isYesOrNo(word, tag))).toEqual([]);
    const sounds = [...toWords(listening)].filter((word) => !toWords(OKAY, okay, yes, no).has(word));
    expect(sounds.filter((word) => isYesOrNo(word, tag))).toEqual([]);
  });

  it.each([
    ['en-US', 'Yes, please.', true],
    ['en-US', 'No, thank you.', true],
    ['en-US', 'Please.', false],
    ['en-US', 'Yes, but', false],
    ['en-US', 'Not', false],
    ['it-IT', 'Non', false],
    ['en-US', 'Yes, 5.', false],
    ['en-US', 'Yes yes yes yes yes', false],
    ['de-DE', 'Ja, bitte.', true],
    ['fr-FR', 'Non merci', true],
    ['es-MX', 'Sí, por favor.', true],
    ['pt-BR', 'Não, obrigado.', true],
    ['pl-PL', 'Tak, proszę.', true],
    ['ja-JP', 'はい、お願いします。', true],
    ['ja-JP', 'はい、金曜日', false],
    ['zh-CN', '好的，谢谢。', true],
  ])('%s: %j is a whole answer: %s', (tag, words, isAnswer) => {
    expect(isYesOrNo(words, tag)).toBe(isAnswer);
  });

  it.each([
    ['en-US', 'Would you like Friday?', true],
    ['en-US', 'Would you like Friday? I also have Monday.', true],
    ['en-US', 'Would you like Friday? On Monday there is a place free at nine as well.', false],
    ['en-US', 'We are open; come by.', false],
    ['el-GR', 'Θέλετε την Παρασκευή;', true],
    ['ar-SA', 'هل تريد يوم الجمعة؟', true],
    ['ja-JP', '金曜日でよろしいですか。', true],
    ['zh-CN', '星期五可以吗？', true],
  ])('%s: after %j it is an answer: %s', (tag, heard, isAnswer) => {
    expect(endsInQuestion(heard, tag)).toBe(isAnswer);
  });
});
