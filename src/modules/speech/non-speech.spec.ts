import { describe, expect, it } from '@jest/globals';
import { isHallucination, mayContainVoice, removeNonSpeech } from './non-speech.js';

describe('removeNonSpeech', () => {
  it.each([
    '',
    ' ',
    '...',
    '…',
    '-',
    '。',
    '[BLANK_AUDIO]',
    ' [BLANK_AUDIO] [BLANK_AUDIO]',
    '[BLANK_AUDIO',
    'BLANK_AUDIO',
    '[silence]',
    '[ Silence ]',
    '(silence)',
    '[MUSIC]',
    '[Music playing] ...',
    '(speaking in foreign language)',
    '（笑）',
    '【音楽】',
    '{noise}',
    '<noise>',
    '♪',
    '♪♪',
    '♪ music ♪',
    '🎵',
    '*coughs*',
    '* sighs *.',
    '<|nospeech|>',
    '<|startoftranscript|><|en|><|nospeech|>',
    '[inaudible',
  ])('finds none in %j', (text) => {
    expect(removeNonSpeech(text)).toBe('');
  });

  it.each([
    'Yes.',
    '42',
    'Ja?',
    'My order (the second one) is late.',
    'I said [sic] nothing.',
    'The *red* one.',
    'Hello [laughter] there',
    'Silence.',
    'Is 3 < 4?',
    '¿Sí?',
    'はい',
    ' Hello there. ',
  ])('leaves %j as it is', (text) => {
    expect(removeNonSpeech(text)).toBe(text);
  });

  it.each([
    ['<|en|> Hello there.<|endoftext|>', 'Hello there.'],
    ['Hello there. [BLANK_AUDIO]', 'Hello there.'],
    ['[BLANK_AUDIO] Two, please.', 'Two, please.'],
  ])('leaves the marks out of %j', (text, words) => {
    expect(removeNonSpeech(text)).toBe(words);
  });
});

describe('isHallucination', () => {
  it.each([
    'Thank you for watching!',
    'Thanks for watching.',
    'Please subscribe to my channel.',
    'Untertitel der Amara.org-Community',
    'Untertitelung des ZDF, 2020',
    "Sous-titres réalisés par la communauté d'Amara.org",
    'Subtítulos realizados por la comunidad de Amara.org',
    'Sottotitoli creati dalla comunità Amara.org',
    'Napisy stworzone przez społeczność Amara.org',
    'Vielen Dank fürs Zuschauen!',
  ])('recognises %j', (text) => {
    expect(isHallucination(text)).toBe(true);
  });

  it.each([
    'Thank you.',
    'Thank you for the call.',
    'Thanks for listening to me',
    'I watch films with subtitles.',
  ])('accepts %j from a person, or requires voice', (text) => {
    expect(isHallucination(text)).toBe(text.startsWith('Thanks for listening'));
  });
});

describe('mayContainVoice', () => {
  const tone = (amplitude: number, ms: number) =>
    Int16Array.from({ length: ms * 8 }, (_, at) => Math.round(amplitude * Math.sin(at / 4)));

  it('is true of 200 ms that are as loud as a quiet voice', () => {
    expect(mayContainVoice(tone(400, 200), 8_000)).toBe(true);
    expect(mayContainVoice(tone(400, 160), 8_000)).toBe(false);
    expect(mayContainVoice(tone(100, 5_000), 8_000)).toBe(false);
    expect(mayContainVoice(new Int16Array(0), 8_000)).toBe(false);
  });
});
