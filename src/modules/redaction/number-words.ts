import { toCardinal as ar } from 'n2words/ar-SA';
import { toCardinal as cs } from 'n2words/cs-CZ';
import { toCardinal as da } from 'n2words/da-DK';
import { toCardinal as de } from 'n2words/de-DE';
import { toCardinal as el } from 'n2words/el-GR';
import { toCardinal as en } from 'n2words/en-GB';
import { toCardinal as es } from 'n2words/es-ES';
import { toCardinal as fi } from 'n2words/fi-FI';
import { toCardinal as fr } from 'n2words/fr-FR';
import { toCardinal as he } from 'n2words/he-IL';
import { toCardinal as hr } from 'n2words/hr-HR';
import { toCardinal as hu } from 'n2words/hu-HU';
import { toCardinal as id } from 'n2words/id-ID';
import { toCardinal as it } from 'n2words/it-IT';
import { toCardinal as nb } from 'n2words/nb-NO';
import { toCardinal as nl } from 'n2words/nl-NL';
import { toCardinal as pl } from 'n2words/pl-PL';
import { toCardinal as pt } from 'n2words/pt-PT';
import { toCardinal as ro } from 'n2words/ro-RO';
import { toCardinal as ru } from 'n2words/ru-RU';
import { toCardinal as sv } from 'n2words/sv-SE';
import { toCardinal as tr } from 'n2words/tr-TR';
import { toCardinal as uk } from 'n2words/uk-UA';
import { toCardinal as vi } from 'n2words/vi-VN';

/** By ISO 639-1. Other languages have digits only. */
const CARDINALS: Readonly<Record<string, (value: number) => string>> = {
  ar,
  cs,
  da,
  de,
  el,
  en,
  es,
  fi,
  fr,
  he,
  hr,
  hu,
  id,
  it,
  nb,
  nl,
  pl,
  pt,
  ro,
  ru,
  sv,
  tr,
  // The library writes the Latin letter in Ukrainian words.
  uk: (value) => uk(value).replaceAll('i', 'і'),
  vi,
  no: nb,
};

/** Further words for digits, as they are said in numbers. */
const MORE_WORDS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  en: { oh: 0, o: 0, nought: 0, naught: 0 },
  de: { zwo: 2, ein: 1, hundert: 100 },
  fr: { une: 1, septante: 70, huitante: 80, octante: 80, nonante: 90 },
  es: { un: 1, una: 1 },
  it: { un: 1, una: 1 },
  pt: { uma: 1, duas: 2, meia: 6, dezesseis: 16, dezessete: 17, dezenove: 19, quatorze: 14 },
  nl: { nul: 0, honderd: 100 },
  pl: { jedna: 1, dwie: 2 },
  nb: { sju: 7, tyve: 20, tredve: 30 },
  el: { εφτα: 7, οχτω: 8, εννια: 9 },
  he: { שתיים: 2, שלוש: 3, שלושים: 30 },
  ar: { اثنين: 2 },
  id: { kosong: 0 },
};

/** The highest number that is one word or a group of words in a dictated number. */
const MAX_NUMBER = 999;

/** Lower case, without accents. */
export const normalizeWord = (word: string): string =>
  word.toLowerCase().replace(/ß/g, 'ss').normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC');

/** Numbers by their words in normalised form, joined by spaces; words with hyphens are several. */
export interface NumberWordsOfLanguage {
  valueOf: ReadonlyMap<string, number>;
  maxWords: number;
}

const known = new Map<string, NumberWordsOfLanguage>();

/** @param language ISO 639-1 */
export function numberWordsIn(language: string): NumberWordsOfLanguage {
  const found = known.get(language) ?? readNumberWords(language);
  known.set(language, found);
  return found;
}

function readNumberWords(language: string): NumberWordsOfLanguage {
  const valueOf = new Map<string, number>();
  const cardinal = CARDINALS[language];
  for (let value = 0; cardinal && value <= MAX_NUMBER; value += 1) {
    const words = normalizeWord(cardinal(value)).replace(/[-'’]/g, ' ');
    valueOf.set(words, value);
    // "one hundred and five" is also "hundred five".
    if (value >= 100) valueOf.set(words.replace(/^(?:one |ein|een)(?=h)/, '').replace(/ and /, ' '), value);
    if (language === 'en') valueOf.set(words.replace(/ and /, ' '), value);
  }
  for (const [word, value] of Object.entries(MORE_WORDS[language] ?? {})) valueOf.set(word, value);
  const maxWords = Math.max(1, ...[...valueOf.keys()].map((words) => words.split(' ').length));
  return { valueOf, maxWords };
}
