/** A frame that the service sends over a media stream. */
export type StreamFrame =
  { kind: 'media'; audio: Buffer } | { kind: 'mark'; name: string } | { kind: 'clear' };

/** The carrier's warnings: an undecodable frame, and one outside of the protocol. */
export interface StreamWarning {
  kind: 'refused';
  code: 31950 | 31951;
  why: string;
}

/** The fields of each frame besides `event` and `streamSid`; others are invalid. */
const FIELDS: Record<string, readonly string[]> = { media: ['media'], mark: ['mark'], clear: [] };
const OPTIONAL = ['sequenceNumber'];

/** The service's frame, or the reason for which the carrier ignores it; the stream continues. */
export function parseStreamFrame(
  data: string,
  isBinary: boolean,
  streamSid: string,
): StreamFrame | StreamWarning {
  if (isBinary) return { kind: 'refused', code: 31950, why: 'A binary message was sent.' };
  const frame = parse(data);
  if (frame === null) return invalid('The message is not a JSON object.');
  const event = String(frame['event']);
  const own = Object.hasOwn(FIELDS, event) ? FIELDS[event] : undefined;
  if (own === undefined) return invalid(`The event ${event} is not supported.`);
  const known = ['event', 'streamSid', ...own, ...OPTIONAL];
  const unexpected = Object.keys(frame).find((name) => !known.includes(name));
  if (unexpected !== undefined) return invalid(`The field ${unexpected} is unexpected.`);
  if (frame['streamSid'] !== streamSid) return invalid('The streamSid is not that of the stream.');
  if (event === 'clear') return { kind: 'clear' };
  return event === 'mark' ? markOf(frame['mark']) : mediaOf(frame['media']);
}

function markOf(mark: unknown): StreamFrame | StreamWarning {
  const name = textIn(mark, 'name');
  return name === null ? invalid('The mark has no name.') : { kind: 'mark', name };
}

function mediaOf(media: unknown): StreamFrame | StreamWarning {
  const payload = textIn(media, 'payload');
  if (payload === null || payload === '') return invalid('The media has no payload.');
  const isBase64 = payload.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(payload);
  return isBase64
    ? { kind: 'media', audio: Buffer.from(payload, 'base64') }
    : invalid('The payload is not base64.');
}

function textIn(value: unknown, name: string): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const text = (value as Record<string, unknown>)[name];
  return typeof text === 'string' ? text : null;
}

function parse(data: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

const invalid = (why: string): StreamWarning => ({ kind: 'refused', code: 31951, why });
