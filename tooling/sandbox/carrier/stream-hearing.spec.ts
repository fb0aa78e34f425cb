import { describe, expect, it } from '@jest/globals';
import { encodeMulaw } from '../speech/mulaw.js';
import { SILENCE } from '../speech/speech-code.js';
import { toneSpeech } from '../speech/tones.js';
import type { PlayedSpeech } from './playback.js';
import { StreamHearing } from './stream-hearing.js';

const FRAME = 160;
const SILENT = Buffer.alloc(FRAME, SILENCE);

/** A sentence in frames of 20 ms. */
function framesOf(text: string): Buffer[] {
  const audio = encodeMulaw(toneSpeech(text, 8_000));
  const count = Math.floor(audio.length / FRAME);
  return Array.from({ length: count }, (_, index) => audio.subarray(index * FRAME, (index + 1) * FRAME));
}
const pause = (ms: number): Buffer[] => Array.from({ length: ms / 20 }, () => SILENT);

/** The recognised text of the frames. */
function heard(frames: readonly Buffer[]): Pick<PlayedSpeech, 'heard' | 'whole'>[] {
  const turns: Pick<PlayedSpeech, 'heard' | 'whole'>[] = [];
  const hearing = new StreamHearing({
    assistantStarted: () => undefined,
    assistantEnded: ({ heard: words, whole }) => turns.push({ heard: words, whole }),
    keyPressed: () => undefined,
  });
  for (const frame of frames) hearing.hear(frame);
  return turns;
}

describe('StreamHearing', () => {
  const sentence = framesOf('You are heard.');
  const [begin, end] = [sentence.slice(0, 20), sentence.slice(20)];

  it('understands the rest of a sentence that arrives much later', () => {
    expect(heard([...begin, ...pause(5_000), ...end, ...pause(700)])).toEqual([
      { heard: 'You', whole: false },
      { heard: 'are heard.', whole: true },
    ]);
  });

  it('understands a sentence whose rest arrives late as one', () => {
    for (const ms of [680, 720, 2_500])
      expect(heard([...begin, ...pause(ms), ...end, ...pause(700)])).toEqual([
        { heard: 'You are heard.', whole: true },
      ]);
  });

  it('ends the turn 700 ms after a sentence', () => {
    const two = [...sentence, ...pause(700), ...sentence, ...pause(700)];
    expect(heard(two)).toHaveLength(2);
    expect(heard([...sentence, ...pause(680)])).toEqual([]);
  });

  it('treats a sentence that does not continue as cut short after three seconds', () => {
    expect(heard([...begin, ...pause(2_900)])).toEqual([]);
    expect(heard([...begin, ...pause(3_000)])).toEqual([{ heard: 'You', whole: false }]);
  });
});
