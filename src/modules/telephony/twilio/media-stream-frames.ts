import { isDtmfKey, parseFrame, type SocketFrame } from '#src/modules/media/socket-frames.js';

/** A frame of the carrier's media stream. `timestampMs`: when the audio was spoken, since the stream began. */
export type MediaStreamFrame =
  | { kind: 'start'; streamSid: string; isTelephoneAudio: boolean }
  | { kind: 'audio'; audio: Buffer; timestampMs: number | null }
  | { kind: 'mark'; name: string }
  | { kind: 'digit'; digit: string }
  | { kind: 'stop' }
  /** Known, and of no use. */
  | { kind: 'none' };

/** Null for any other frame. */
export function parseMediaStreamFrame(text: string): MediaStreamFrame | null {
  const frame = parseFrame(text);
  switch (frame?.['event']) {
    case 'connected':
      return { kind: 'none' };
    case 'start':
      return start(frame);
    case 'media':
      return media(fields(frame['media']));
    case 'mark':
      return mark(fields(frame['mark']));
    case 'dtmf':
      return digit(fields(frame['dtmf']));
    case 'stop':
      return { kind: 'stop' };
    default:
      return null;
  }
}

function start(frame: SocketFrame): MediaStreamFrame | null {
  const inside = fields(frame['start']);
  const { encoding, sampleRate, channels } = fields(inside['mediaFormat']);
  const streamSid = frame['streamSid'] ?? inside['streamSid'];
  if (typeof streamSid !== 'string' || streamSid === '') return null;
  const isTelephoneAudio =
    encoding === 'audio/x-mulaw' && numberOf(sampleRate) === 8_000 && numberOf(channels) === 1;
  return { kind: 'start', streamSid, isTelephoneAudio };
}

/** The service's own audio would be another track. */
function media({ track, payload, timestamp }: SocketFrame): MediaStreamFrame | null {
  if (track !== undefined && track !== 'inbound') return { kind: 'none' };
  if (typeof payload !== 'string' || !isBase64(payload)) return null;
  const timestampMs = numberOf(timestamp);
  const isTime = Number.isSafeInteger(timestampMs) && timestampMs >= 0;
  return { kind: 'audio', audio: Buffer.from(payload, 'base64'), timestampMs: isTime ? timestampMs : null };
}

const mark = ({ name }: SocketFrame): MediaStreamFrame | null =>
  typeof name === 'string' ? { kind: 'mark', name } : null;

const digit = ({ digit: key }: SocketFrame): MediaStreamFrame | null =>
  isDtmfKey(key) ? { kind: 'digit', digit: key } : null;

/** The carrier writes numbers as text as well; NaN for all else, which need not be convertible. */
const numberOf = (value: unknown): number =>
  typeof value === 'string' || typeof value === 'number' ? Number.parseInt(String(value), 10) : NaN;

/** Node leaves out what does not belong, which would put audio together wrongly. */
const isBase64 = (text: string): boolean =>
  text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);

const fields = (value: unknown): SocketFrame =>
  typeof value === 'object' && value !== null ? (value as SocketFrame) : {};
