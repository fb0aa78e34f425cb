import { KEY_PAUSE_MS, KEY_TONE_MS, KEY_WAITS_MS } from '#src/modules/media/audio-line.js';
import { encodeMulaw, MULAW_SILENCE } from '#src/modules/media/mulaw.js';

const SAMPLE_RATE = 8_000;
/** Of each of the two frequencies; both together do not overload the line. */
const AMPLITUDE = 10_000;
/** About a minute. */
const MAX_KEYS = 300;

const ROWS = [697, 770, 852, 941];
const COLUMNS = [1_209, 1_336, 1_477, 1_633];
const KEYPAD = ['123A', '456B', '789C', '*0#D'];

/**
 * Keys as telephone audio (µ-law, 8 kHz): 100 ms of the key's two frequencies (ITU-T Q.23), 100 ms of silence. `w`
 * waits half a second, `W` a second. Other characters are left out, and all after the 300th.
 */
export function dtmfTones(digits: string): Buffer {
  return Buffer.concat(Array.from(digits.slice(0, MAX_KEYS), soundOf));
}

function soundOf(key: string): Buffer {
  const waitMs = KEY_WAITS_MS[key];
  if (waitMs !== undefined) return silence(waitMs);
  const row = KEYPAD.findIndex((keys) => keys.includes(key));
  const [low, high] = [ROWS[row], COLUMNS[KEYPAD[row]?.indexOf(key) ?? -1]];
  return low === undefined || high === undefined
    ? Buffer.alloc(0)
    : Buffer.concat([tone(low, high), silence(KEY_PAUSE_MS)]);
}

function tone(low: number, high: number): Buffer {
  const samples = Int16Array.from({ length: samplesOf(KEY_TONE_MS) }, (_, index) =>
    Math.round(AMPLITUDE * (wave(low, index) + wave(high, index))),
  );
  return encodeMulaw(samples);
}

const wave = (frequency: number, index: number): number =>
  Math.sin((2 * Math.PI * frequency * index) / SAMPLE_RATE);

const samplesOf = (ms: number): number => (ms * SAMPLE_RATE) / 1000;

const silence = (ms: number): Buffer => Buffer.alloc(samplesOf(ms), MULAW_SILENCE);
