import { describe, expect, it } from '@jest/globals';
import { measureRedaction, readPhrases } from './redaction-phrases.fake.js';

const LANGUAGES = ['de-DE', 'en-US', 'es-ES', 'fr-FR', 'it-IT', 'nl-NL', 'pl-PL', 'pt-PT'];

describe.each(['phrases.txt', 'held-apart.txt'])('redaction of %s', (file) => {
  const phrases = readPhrases(file);

  it('is measured with numbers and without in eight languages', () => {
    expect(phrases.length).toBeGreaterThanOrEqual(150);
    for (const language of LANGUAGES) {
      const own = phrases.filter((phrase) => phrase.language === language);
      expect(own.filter(({ marked }) => marked.length > 0).length).toBeGreaterThanOrEqual(13);
      expect(own.filter(({ marked }) => marked.length === 0).length).toBeGreaterThanOrEqual(4);
    }
  });

  it('hides 95 % of the numbers and at most 2 % of the other words', () => {
    const { hidden, wrong, failures } = measureRedaction(phrases);
    // The failures come first: a test that fails shows them.
    if (hidden < 0.95 || wrong > 0.02) expect(failures).toEqual([]);
    expect(hidden).toBeGreaterThanOrEqual(0.95);
    expect(wrong).toBeLessThanOrEqual(0.02);
  });
});
