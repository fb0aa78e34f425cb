import { describe, expect, it } from '@jest/globals';
import {
  characterMs,
  encodeSpeech,
  FRAME_BYTES,
  SILENCE,
  speechBytes,
  SpeechDecoder,
} from './speech-code.js';

const TEXT = 'Hello, “Grüße” 👋🏽 — aaa 1,000!';

function decode(audio: Buffer, pieceBytes: number): { text: string; unrecognised: number } {
  const decoder = new SpeechDecoder();
  let text = '';
  for (let at = 0; at < audio.length; at += pieceBytes)
    text += decoder.push(audio.subarray(at, at + pieceBytes));
  return { text, unrecognised: decoder.unrecognised };
}

describe('the speech code of the telephone line', () => {
  it.each([1, 7, 160, 4_000, 100_000])('recognises every character in pieces of %i bytes', (pieceBytes) => {
    for (const msPerCharacter of [0.5, 3, 60, 120]) {
      const spoken = decode(speechBytes(TEXT, msPerCharacter), pieceBytes);
      expect(spoken).toEqual({ text: TEXT, unrecognised: 0 });
    }
  });

  it('speaks a character in three frames, and fills the last frame with silence', () => {
    const frames = encodeSpeech('ab');
    expect(frames.map(({ length }) => length)).toEqual(Array.from({ length: 6 }, () => FRAME_BYTES));
    expect(characterMs(0.75)).toBe(1);
    const quick = encodeSpeech('abc', 0.75);
    expect(quick).toHaveLength(1);
    expect(quick[0]?.subarray(24).every((byte) => byte === SILENCE)).toBe(true);
  });

  it('recognises a character only when all of it is played', () => {
    const speech = speechBytes('abc');
    expect(decode(speech.subarray(0, 2 * 480 + 479), 160).text).toBe('ab');
    expect(decode(speech.subarray(8), 160)).toEqual({ text: 'bc', unrecognised: 60 - 1 });
  });

  it('recognises speech after speech that is truncated anywhere', () => {
    const speech = speechBytes('abc');
    for (const cut of [1, 5, 8, 160, 477, 481, 643]) {
      const audio = Buffer.concat([speech.subarray(0, cut), speechBytes('next')]);
      expect(decode(audio, 160).text).toBe(`${'abc'.slice(0, Math.floor(cut / 480))}next`);
    }
  });

  it('reports how long it is silent, and ignores silence', () => {
    const decoder = new SpeechDecoder();
    const speech = speechBytes('hi');
    const pause = Buffer.alloc(1_600, SILENCE);
    expect(decoder.push(speech.subarray(0, 500)) + decoder.push(pause)).toBe('h');
    expect(decoder.silentMs).toBe(200);
    expect(decoder.push(speech.subarray(500))).toBe('i');
    expect(decoder.silentMs).toBe(0);
    expect(decoder.unrecognised).toBe(0);
  });

  it.each([
    ['changed', (speech: Buffer) => speech.fill(speech.readUInt8(700) ^ 1, 700, 701)],
    ['lost', (speech: Buffer) => Buffer.concat([speech.subarray(0, 700), speech.subarray(701)])],
    [
      'left out by whole groups',
      (speech: Buffer) => Buffer.concat([speech.subarray(0, 640), speech.subarray(680)]),
    ],
    ['repeated', (speech: Buffer) => Buffer.concat([speech.subarray(0, 808), speech.subarray(800)])],
    ['replaced by noise', (speech: Buffer) => speech.fill(0x55, 640, 648)],
  ])('does not recognise a character of which a byte was %s', (_case, damage) => {
    const { text, unrecognised } = decode(damage(speechBytes('abc')), 160);
    expect(text).toBe('ac');
    expect(unrecognised).toBeGreaterThan(0);
  });

  it('accepts any bytes without an error', () => {
    let seed = 14;
    const noise = Buffer.from(
      Array.from({ length: 100_000 }, () => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) >> 16),
    );
    expect(decode(Buffer.concat([noise, speechBytes('ok')]), 333).text).toMatch(/ok$/);
  });
});
