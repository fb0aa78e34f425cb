import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findNumbers, type NumberKind } from './find-numbers.js';

/** A phrase with the places of what is to be hidden. */
export interface MarkedPhrase {
  language: string;
  text: string;
  marked: { start: number; end: number; kind: NumberKind }[];
}

const MARKED = /\{(card|iban|id|phone|email): ([^}]*)\}/g;

/** @param file in `fixtures`; "## de-DE" begins the phrases of a language */
export function readPhrases(file: string): MarkedPhrase[] {
  const lines = readFileSync(join('src/modules/redaction/fixtures', file), 'utf8').split('\n');
  let language = '';
  const phrases: MarkedPhrase[] = [];
  for (const line of lines) {
    if (line.startsWith('## ')) language = line.slice(3);
    else if (line !== '' && !line.startsWith('#')) phrases.push({ language, ...readPhrase(line) });
  }
  return phrases;
}

function readPhrase(line: string): Omit<MarkedPhrase, 'language'> {
  const marked: MarkedPhrase['marked'] = [];
  let text = '';
  let end = 0;
  for (const { 0: whole, 1: kind, 2: words = '', index } of line.matchAll(MARKED)) {
    text += line.slice(end, index);
    marked.push({ start: text.length, end: text.length + words.length, kind: kind as NumberKind });
    text += words;
    end = index + whole.length;
  }
  return { text: text + line.slice(end), marked };
}

export interface RedactionRates {
  /** Of the marked numbers those of which no digit or word is left. */
  hidden: number;
  /** Of the other words those that are hidden. */
  wrong: number;
  /** A line for each number that is not hidden and for each phrase with words that are. */
  failures: string[];
}

export function measureRedaction(phrases: readonly MarkedPhrase[]): RedactionRates {
  const counts = { marked: 0, hidden: 0, words: 0, wrong: 0 };
  const failures: string[] = [];
  for (const { language, text, marked } of phrases) {
    const found = findNumbers(text, { language, countries: [language.split('-')[1] ?? ''] });
    const isFound = (at: number): boolean => found.some(({ start, end }) => at >= start && at < end);
    for (const { start, end } of marked) {
      counts.marked += 1;
      const left = wordsIn(text).filter(
        (word) => word.start >= start && word.end <= end && !isFound(word.start),
      );
      if (left.length === 0) counts.hidden += 1;
      else failures.push(`${language} not hidden: ${text.slice(start, end)} | ${text}`);
    }
    const others = wordsIn(text).filter(
      (word) => !marked.some(({ start, end }) => word.start < end && start < word.end),
    );
    const wrong = others.filter((word) => isFound(word.start));
    counts.words += others.length;
    counts.wrong += wrong.length;
    if (wrong.length > 0)
      failures.push(
        `${language} hidden: ${wrong.map((word) => text.slice(word.start, word.end)).join(' ')} | ${text}`,
      );
  }
  return { hidden: counts.hidden / counts.marked, wrong: counts.wrong / counts.words, failures };
}

const wordsIn = (text: string): { start: number; end: number }[] =>
  [...text.matchAll(/[\p{L}\p{M}\d]+/gu)].map(({ 0: word, index }) => ({
    start: index,
    end: index + word.length,
  }));
