import { describe, expect, it } from '@jest/globals';
import { isFarewell } from './farewells.js';

describe('isFarewell', () => {
  it.each([
    ['Bye bye!', 'en-US', true],
    ['Thank you very much, have a nice day.', 'en-GB', true],
    ['Okay.', 'en-US', true],
    ['Bye, Ada!', 'en-US', true],
    ['Have a nice evening!', 'en-US', true],
    ['See you later.', 'en-US', true],
    ['Good evening.', 'en-US', false],
    ['Tomorrow evening.', 'en-US', false],
    ['Which day', 'en-US', false],
    ['Call again later.', 'en-US', false],
    ['Okay, thank you?', 'en-US', false],
    ['Okay?', 'en-US', false],
    ['Thanks, wait!', 'en-US', false],
    ['Wait!', 'en-US', false],
    ['No!', 'en-US', false],
    ['Thanks, but I have one more question.', 'en-US', false],
    ['Auf Wiederhören, schönen Tag noch.', 'de-DE', true],
    ['Schönen Abend noch!', 'de-DE', true],
    ['Guten Abend.', 'de-DE', false],
    ['Für den Abend.', 'de-DE', false],
    ['Danke, eine Frage noch bitte.', 'de-DE', false],
    ['Muchas gracias, hasta luego.', 'es-MX', true],
    ['Que tenga un buen día.', 'es-MX', true],
    ['Buen día.', 'es-AR', false],
    ['Más tarde.', 'es-MX', false],
    ['Espere, una pregunta.', 'es-ES', false],
    ['Merci, bonne journée.', 'fr-FR', true],
    ['Bonne fin de semaine.', 'fr-CA', true],
    ['Jó napot!', 'hu-HU', false],
    ['Szép napot!', 'hu-HU', true],
    ['Ευχαριστώ, αντίο;', 'el-GR', false],
    ['ありがとうございますか。', 'ja-JP', false],
    ['Grazie mille, arrivederci.', 'it-IT', true],
    ['Obrigada, até logo.', 'pt-BR', true],
    ['Dank je wel, tot ziens.', 'nl-NL', true],
    ['Dziękuję bardzo, do widzenia.', 'pl-PL', true],
    ['Hej då!', 'sv-SE', true],
    ['När då', 'sv-SE', false],
    ['Vänta, jag har en fråga.', 'sv-SE', false],
  ])('%j in %s: %s', (text, language, expected) => {
    expect(isFarewell(text, language)).toBe(expected);
  });
});
