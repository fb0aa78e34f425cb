import { SpeechDecoder } from '../speech/speech-code.js';
import { ToneDecoder } from '../speech/tones.js';

/** The characters that end in a piece of audio, and the milliseconds since the last sound of speech. */
export interface Heard {
  words: string;
  silentMs: number;
}

export type Ear = (audio: Buffer) => Heard;

/** Words after a longer silence are others. */
const PAUSE_MS = 500;

/** Understands the callees of the sandbox in µ-law, and tones in samples of 16 bits. */
export const earOf = (encoding: string, sampleRate: number): Ear =>
  encoding === 'mulaw' ? callees() : tones(sampleRate);

function callees(): Ear {
  const decoder = new SpeechDecoder();
  let hasPaused = false;
  return (audio) => {
    const words = decoder.push(audio);
    const heard = { words: hasPaused && words !== '' ? ` ${words}` : words, silentMs: decoder.silentMs };
    hasPaused = decoder.silentMs >= PAUSE_MS || (hasPaused && words === '');
    return heard;
  };
}

/** A text is recognised at its end. */
function tones(sampleRate: number): Ear {
  const decoder = new ToneDecoder(sampleRate);
  let silentMs = 0;
  return (audio) => {
    const samples = new Int16Array(audio.length >> 1);
    samples.forEach((_, index) => (samples[index] = audio.readInt16LE(index * 2)));
    const found = decoder.push(samples).map(({ text }) => text);
    silentMs = found.length > 0 || decoder.inText ? 0 : silentMs + (samples.length * 1000) / sampleRate;
    return { words: found.length > 0 ? `${found.join(' ')} ` : '', silentMs };
  };
}
