import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { wavHeader } from '../../tooling/sandbox/model/wav.js';
import { toneSpeech } from '../../tooling/sandbox/speech/tones.js';

const RATE = 48_000;

/** Runs in a page before anything else: whoever listens to the microphone listens to the test, too. */
export const LISTENS_TO_TEST = `{
  const listen = AudioContext.prototype.createMediaStreamSource;
  AudioContext.prototype.createMediaStreamSource = function (stream) {
    const person = this.createGain();
    listen.call(this, stream).connect(person);
    globalThis.speak = (samples, rate) => {
      const buffer = this.createBuffer(1, samples.length, rate);
      buffer.copyToChannel(Float32Array.from(samples), 0);
      const source = this.createBufferSource();
      source.buffer = buffer;
      source.connect(person);
      source.start();
    };
    return person;
  };
}`;

/**
 * Speaks now, in a page that `LISTENS_TO_TEST`. The words take the time of the page's audio: on a busy machine they are
 * heard later, and none is lost.
 */
export async function speak(page: Page, text: string): Promise<void> {
  const samples = [...toneSpeech(text, RATE)].map((sample) => sample / 32_768);
  await page.evaluate(
    ([words, rate]) => {
      (globalThis as unknown as { speak(words: readonly number[], rate: number): void }).speak(words, rate);
    },
    [samples, RATE] as const,
  );
}

/**
 * Arguments of a Chromium whose microphone takes these from the moment on at which it is opened: silence in seconds, and
 * words that the sandbox's speech understands.
 */
export function microphone(...parts: (number | string)[]): string[] {
  const samples = parts.flatMap((part) =>
    typeof part === 'string' ? [...toneSpeech(part, RATE)] : Array.from({ length: part * RATE }, () => 0),
  );
  const audio = Buffer.from(Int16Array.from(samples).buffer);
  const file = join(mkdtempSync(join(tmpdir(), 'calls-microphone-')), 'words.wav');
  writeFileSync(file, Buffer.concat([wavHeader(audio.length, RATE), audio]));
  return ['--use-fake-ui-for-media-stream', `--use-file-for-fake-audio-capture=${file}%noloop`];
}
