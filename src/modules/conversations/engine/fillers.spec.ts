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
    expect(expected).toContain(new Fillers(PHRASES, 'en-US').pickPhrase(heard));
  });

  it.each([
    ['nl-NL', 'Nu of morgen.', 'Hm.'],
    ['nl-NL', 'Nee, liever niet.', 'I see.'],
    ['es-ES', 'En la mañana.', 'Hm.'],
    ['de-DE', 'Da bin ich zu Hause.', 'Hm.'],
    ['hr-HR', 'Da, molim.', 'Great.'],
    ['ja-JP', 'はい、お願いします。', 'Great.'],
    ['zh-CN', '不是这样的。', 'I see.'],
    ['ar-SA', 'متى أنتم مفتوحون؟', 'Let me check.'],
    ['fil-PH', 'Yes po.', 'Great.'],
    ['es-ES', 'Si llueve, me quedo en casa.', 'Hm.'],
    ['it-IT', 'Si è rotto il telefono.', 'Hm.'],
    ['it-IT', 'Non funziona.', 'I see.'],
    ['ca-ES', 'El problema és el preu.', 'Hm.'],
    ['fr-FR', 'Si je viens demain.', 'Hm.'],
    ['fr-FR', 'D’habitude le matin.', 'Hm.'],
    ['bg-BG', 'Казвам се Иван.', 'Hm.'],
  ])('understands yes and no of %s only: %s', (language, heard, expected) => {
    expect(new Fillers(PHRASES, language).pickPhrase(heard)).toBe(expected);
  });

  it('never returns the same phrase twice in a row', () => {
    const fillers = new Fillers(PHRASES, 'en-US');
    const said = Array.from({ length: 20 }, () => fillers.pickPhrase('Yes.'));
    said.forEach((phrase, index) => expect(phrase).not.toBe(said[index + 1]));
  });

  it('asks for a moment in the language of the call without phrases of the assistant', () => {
    const none = { neutral: [], positive: [], negative: [], question: [] };
    expect(new Fillers(none, 'fi-FI').pickPhrase('Onko se vapaa?')).toBe('Pieni hetki, kiitos.');
  });

  it('is silent rather than repeating its only phrase, and when it has none', () => {
    const fillers = new Fillers({ neutral: ['Hm.'] }, 'en-US');
    expect([fillers.pickPhrase('a'), fillers.pickPhrase('b')]).toEqual(['Hm.', null]);
    expect(new Fillers({ neutral: [' '] }, 'en-US').pickPhrase('a')).toBeNull();
  });
});
