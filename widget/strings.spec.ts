import { expect, it } from '@jest/globals';
import { LANGUAGES, stringsFor } from './strings.js';
import { TEXTS } from './texts.js';

it('has every text in every language', () => {
  expect(LANGUAGES).toEqual(['en', 'de', 'es', 'fr', 'it', 'pt', 'nl', 'pl']);
  const count = Object.keys(stringsFor('en')).length;
  for (const language of LANGUAGES) {
    const lines = (TEXTS[language] ?? '').split('\n');
    expect([language, lines.length, lines.every((line) => line.trim() !== '')]).toEqual([
      language,
      count,
      true,
    ]);
  }
});

it('takes the language of a tag, and English for others', () => {
  expect(stringsFor('de-CH').end).toBe('Beenden');
  expect(stringsFor('ja-JP').end).toBe('End');
});
