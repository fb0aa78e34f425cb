import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readWavHeader, toMono } from '#src/modules/speech/openai-speech/wav-header.js';
import { Resampler } from '#src/modules/speech/audio/resampler.js';
import { rms } from '../../sandbox/speech/noise.js';
import { syntheticVoice } from '../../sandbox/speech/synthetic-voice.js';

/** Telephone lines. */
export const RATE = 8_000;
const BLOCK = RATE / 50;
/** Limits of voiced time, in seconds. */
const LONGEST_WORD = 0.75;
const SENTENCE = { shortest: 1.2, longest: 6 };
/** A pause inside a recording that would end a turn. */
const TURN_PAUSE_SECONDS = 0.5;

/** Names of recordings without a voice. */
const NO_VOICE = /beep|tone|silence|-(?:join|leave)\.wav$/;

/** A recording without the silence around it, at 8 kHz. */
export interface Recording {
  name: string;
  samples: Int16Array;
}

export interface Recordings {
  words: Recording[];
  sentences: Recording[];
}

/** @param folder of WAV files, with its folders; null: synthesised voices */
export async function readRecordings(
  folder: string | null,
  most: { words: number; sentences: number },
): Promise<Recordings> {
  const all = folder === null ? synthesise() : await readFolder(folder);
  const seconds = ({ samples }: Recording): number => samples.length / RATE;
  const words = all.filter((recording) => seconds(recording) <= LONGEST_WORD);
  const sentences = all.filter(
    (recording) =>
      seconds(recording) >= SENTENCE.shortest &&
      seconds(recording) <= SENTENCE.longest &&
      longestPause(recording.samples) < TURN_PAUSE_SECONDS,
  );
  return { words: spread(words, most.words), sentences: spread(sentences, most.sentences) };
}

async function readFolder(folder: string): Promise<Recording[]> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.wav') && !NO_VOICE.test(name),
  );
  const recordings: Recording[] = [];
  for (const name of files.sort()) {
    const file = readFileSync(join(folder, name));
    const format = readWavHeader(file, name);
    if (!format) continue;
    const mono = toMono(file.subarray(format.start, format.start + format.length), format);
    const resampler = await Resampler.create(format.sampleRate, RATE);
    const samples = trim(resampler.push(mono));
    resampler.close();
    if (samples.length > 0) recordings.push({ name, samples });
  }
  return recordings;
}

const synthesise = (): Recording[] =>
  Array.from({ length: 40 }, (_, index) => ({
    name: `synthetic ${index}`,
    samples: syntheticVoice({ sampleRate: RATE, seconds: index % 2 ? 0.5 : 2.5, seed: index + 1 }),
  }));

/** From the first to the last block that is louder than 30 dB below the loudest one. */
function trim(samples: Int16Array): Int16Array {
  const loud = loudBlocks(samples);
  const first = loud.indexOf(true);
  return first < 0 ? new Int16Array(0) : samples.slice(first * BLOCK, (loud.lastIndexOf(true) + 1) * BLOCK);
}

function longestPause(samples: Int16Array): number {
  let [longest, current] = [0, 0];
  for (const isLoud of loudBlocks(samples)) {
    current = isLoud ? 0 : current + BLOCK;
    longest = Math.max(longest, current);
  }
  return longest / RATE;
}

function loudBlocks(samples: Int16Array): boolean[] {
  const levels: number[] = [];
  for (let at = 0; at + BLOCK <= samples.length; at += BLOCK)
    levels.push(rms(samples.subarray(at, at + BLOCK)));
  const loudest = levels.reduce((most, level) => Math.max(most, level), 0);
  return levels.map((level) => level > Math.max(60, loudest / 32));
}

/** Evenly over the list. */
const spread = <T>(values: readonly T[], most: number): T[] =>
  values.length <= most
    ? [...values]
    : Array.from({ length: most }, (_, index) => values[Math.floor((index * values.length) / most)] as T);
