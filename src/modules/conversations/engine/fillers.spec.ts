import { describe, expect, it } from '@jest/globals';
import { Fillers } from './fillers.js';

const PHRASES = {
  neutral: ['Hm.', 'Well.'],
  positive: ['Great.'],
  negative: ['I see.'],
  question: ['Let me check.'],
};

describe('Fillers', () => {
  it.each([
    ['Is it free?', ['Let me check.']],
    ['Yes, please.', ['Great.']],
    ['No, thanks.', ['I see.']],
    ['My number is 4711.', ['Hm.', 'Well.']],
  ])('fits the mood of %s', (heard, expected) => {
    expect(expected).toContain(new Fillers(PHRASES).pickPhrase(heard));
  });

  it('never returns the same phrase twice in a row', () => {
    const fillers = new Fillers(PHRASES);
    const said = Array.from({ length: 20 }, () => fillers.pickPhrase('Yes.'));
    said.forEach((phrase, index) => expect(phrase).not.toBe(said[index + 1]));
  });

  it('is silent rather than repeating its only phrase, and when it has none', () => {
    const fillers = new Fillers({ neutral: ['Hm.'] });
    expect([fillers.pickPhrase('a'), fillers.pickPhrase('b')]).toEqual(['Hm.', null]);
    expect(new Fillers({ neutral: [' '] }).pickPhrase('a')).toBeNull();
  });
});
