import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wavHeader } from '../../sandbox/model/wav.js';
import { toneSpeech } from '../../sandbox/speech/tones.js';

const RATE = 48_000;

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
