import type { Random } from '../support/random.js';
import { oddValue, oneOf } from './odd-values.js';

/** A frame, and whether the specification ends the line after it. */
export interface OddFrame {
  data: string | Buffer;
  ends: boolean;
}

/** Larger than a socket's maximum frame: the carrier's 64 KiB, a browser's 16 KiB. */
const TOO_LONG = { stream: 'a'.repeat(70_000), browser: 'a'.repeat(17_000) };
/** Of the frames: with a larger share every line ends before another fault can occur. */
const ENDING_SHARE = 0.001;
const NO_OBJECTS = ['', '{', '[]', 'null', '1', '"a"', '{}', '[[]]', '\u0000', '{"event":{"a":1}}'];
/** Real values, so that odd values beside them are evaluated. */
const KNOWN = [
  'MZ1',
  'inbound',
  '//8=',
  '40',
  'audio/x-mulaw',
  '8000',
  '1:sentence-1:250',
  '5',
  true,
  'customer',
];

const OTHER_FORMAT = JSON.stringify({
  event: 'start',
  streamSid: 'MZ1',
  start: { mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: { toString: 1 }, channels: 1 } },
});

const STREAM_EVENTS = ['connected', 'start', 'media', 'mark', 'dtmf', 'x', 1, null, 'constructor'];
const STREAM_PARTS = ['start', 'media', 'mark', 'dtmf'];
const STREAM_FIELDS = ['payload', 'timestamp', 'track', 'name', 'digit', 'mediaFormat', 'chunk'];

/** Of the carrier's media stream. */
export function oddStreamFrame(random: Random): OddFrame {
  const other = neither(random, [TOO_LONG.stream, '{"event":"stop"}', OTHER_FORMAT]);
  if (other) return other;
  const frame: Record<string, unknown> = {
    event: oneOf(random, STREAM_EVENTS),
    ...odd(random, ['sequenceNumber']),
  };
  for (const part of STREAM_PARTS)
    if (random() < 0.5) frame[part] = random() < 0.2 ? oddValue(random) : odd(random, STREAM_FIELDS);
  // A start with a name is valid, and ends a stream of another format.
  if (frame['event'] !== 'start' && random() < 0.5) frame['streamSid'] = oddValue(random);
  return { data: JSON.stringify(frame), ends: false };
}

const BROWSER_TYPES = ['prompt', 'interrupt', 'played', 'speaking', 'digit', 'x', 1, null, 'toString'];
const BROWSER_FIELDS = ['text', 'last', 'heard', 'who', 'on', 'digit'];

/** Of the browser on the line of a web call. */
export function oddBrowserFrame(random: Random): OddFrame {
  const other = neither(random, [TOO_LONG.browser, '{"type":"end"}']);
  if (other) return other;
  const type = oneOf(random, BROWSER_TYPES);
  return { data: JSON.stringify({ type, ...odd(random, BROWSER_FIELDS) }), ends: false };
}

/** Whether a frame is no JSON object, and whether it ends a line; null: neither. */
function neither(random: Random, ends: readonly string[]): OddFrame | null {
  const kind = random();
  if (kind < ENDING_SHARE) return { data: oneOf(random, ends), ends: true };
  if (kind < 0.08) return { data: Buffer.from([0, 255, 254, Math.floor(random() * 256)]), ends: false };
  return kind < 0.2 ? { data: oneOf(random, NO_OBJECTS), ends: false } : null;
}

const odd = (random: Random, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    names
      .filter(() => random() < 0.6)
      .map((name) => [name, random() < 0.4 ? oneOf(random, KNOWN) : oddValue(random)]),
  );
