import { describe, expect, it } from '@jest/globals';
import { isFarewell } from './farewells.js';

describe('isFarewell', () => {
  it.each([
    ['Bye bye!', 'en-US', true],
    ['Thank you very much, have a nice day.', 'en-GB', true],
    ['Okay.', 'en-US', true],
    ['Bye, Ada!', 'en-US', true],
    ['Wait!', 'en-US', false],
    ['No!', 'en-US', false],
    ['Thanks, but I have one more question.', 'en-US', false],
    ['Auf Wiederhören, schönen Tag noch.', 'de-DE', true],
    ['Danke, eine Frage noch bitte.', 'de-DE', false],
    ['Muchas gracias, hasta luego.', 'es-MX', true],
    ['Espere, una pregunta.', 'es-ES', false],
    ['Merci, bonne journée.', 'fr-FR', true],
    ['Grazie mille, arrivederci.', 'it-IT', true],
    ['Obrigada, até logo.', 'pt-BR', true],
    ['Dank je wel, tot ziens.', 'nl-NL', true],
    ['Dziękuję bardzo, do widzenia.', 'pl-PL', true],
    ['Hej då!', 'sv-SE', true],
    ['Vänta, jag har en fråga.', 'sv-SE', false],
  ])('%j in %s: %s', (text, language, expected) => {
    expect(isFarewell(text, language)).toBe(expected);
  });
});
