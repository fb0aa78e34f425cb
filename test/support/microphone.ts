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
    globalThis.speak = (base64, rate) => {
      const samples = new Int16Array(Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0)).buffer);
      const buffer = this.createBuffer(1, samples.length, rate);
      buffer.copyToChannel(Float32Array.from(samples, (sample) => sample / 32_768), 0);
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
export const speak = (page: Page, text: string): Promise<void> => utter(page, toneSpeech(text, RATE), RATE);

/** The same with audio of any kind. */
export async function utter(page: Page, audio: Int16Array, rate: number): Promise<void> {
  // As one text: the page would read a list for so long that it loses audio meanwhile.
  const bytes = Buffer.from(audio.buffer, audio.byteOffset, audio.byteLength).toString('base64');
  await page.evaluate(
    ([sound, hertz]) => {
      (globalThis as unknown as { speak(sound: string, hertz: number): void }).speak(sound, hertz);
    },
    [bytes, rate] as const,
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
  return microphoneOf(Int16Array.from(samples), RATE);
}

/** The same with audio of any kind. */
export function microphoneOf(samples: Int16Array, rate: number): string[] {
  const audio = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  const file = join(mkdtempSync(join(tmpdir(), 'calls-microphone-')), 'sound.wav');
  writeFileSync(file, Buffer.concat([wavHeader(audio.length, rate), audio]));
  return ['--use-fake-ui-for-media-stream', `--use-file-for-fake-audio-capture=${file}%noloop`];
}
