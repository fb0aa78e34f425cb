import type { LineFaults } from '../callees/callee.js';
import type { CallHandle } from './carrier-context.js';
import { tellOfHangUp } from './relay-verb.js';
import { newSid } from './sids.js';
import { signRequest } from './signature.js';
import { StreamSession, type StreamOutcome } from './stream-session.js';
import { childrenNamed, type Verb } from './twiml.js';

/** Maximum length of a parameter's name and value together. */
const MAX_PARAMETER_CHARACTERS = 500;
const ATTRIBUTES = ['url', 'name', 'track', 'statusCallback', 'statusCallbackMethod'];

/** The carrier's errors: the WebSocket could not be opened, and an open one broke. */
const ERRORS = {
  'never-opened': '31920: The WebSocket handshake failed.',
  broken: '31921: The WebSocket was closed.',
} satisfies Partial<Record<StreamOutcome, string>>;

/** The `<Stream>` of a `<Connect>`; null for another noun. */
export const streamOf = (connect: Verb): Verb | null => childrenNamed(connect, 'Stream')[0] ?? null;

/** Holds one bidirectional stream; returns whether it was opened. The action URL receives no fields of it. */
export async function connectStream(
  call: CallHandle,
  connect: Verb,
  stream: Verb,
  faults: LineFaults,
  signal: AbortSignal,
): Promise<{ params: Record<string, string>; connected: boolean }> {
  const refuse = (what: string, why: string) =>
    call.carrier.journal.write('refusal', call.record, { what, why });
  const wrong = refusalOf(stream);
  if (wrong !== null) {
    refuse('document', wrong);
    return { params: {}, connected: false };
  }
  const url = withoutQuery(stream.attributes['url'] ?? '');
  const { direction, from, to } = call.record;
  const session = new StreamSession(
    {
      url,
      signature: signRequest(call.carrier.authToken, url),
      accountSid: call.carrier.accountSid,
      callSid: call.record.sid,
      streamSid: newSid('MZ'),
      customParameters: parametersOf(stream),
      faults,
      traits: call.carrier.traits.of(direction === 'inbound' ? from : to),
      refused: (why) => refuse('frame', why),
      lost: () => call.carrier.journal.write('socket-lost', call.record),
      late: (ms) => call.carrier.journal.write('stall', call.record, { ms }),
      heard: (voices) => call.carrier.journal.write('voices', call.record, { ...voices }),
    },
    call.line,
    call.carrier.clockSpeed,
  );
  try {
    const outcome = await session.run(signal);
    if (outcome !== 'closed') refuse('stream', ERRORS[outcome]);
    return { params: {}, connected: outcome !== 'never-opened' };
  } catch (error) {
    tellOfHangUp(call, connect, {});
    throw error;
  }
}

/** The reason for which the carrier refuses this `<Stream>`; null when it is valid. */
function refusalOf(stream: Verb): string | null {
  const { url = '', track } = stream.attributes;
  const unknown = Object.keys(stream.attributes).find((name) => !ATTRIBUTES.includes(name));
  if (unknown !== undefined) return `Unknown attribute: ${unknown}`;
  if (!/^wss?:\/\/[^/]/.test(url)) return `Invalid value for url: ${url}`;
  if (track !== undefined && track !== 'inbound_track') return `Invalid value for track: ${track}`;
  const tooLong = Object.entries(parametersOf(stream)).find(
    ([name, value]) => name.length + value.length > MAX_PARAMETER_CHARACTERS,
  );
  return tooLong === undefined ? null : `The parameter ${tooLong[0]} is too long.`;
}

const parametersOf = (stream: Verb): Record<string, string> =>
  Object.fromEntries(
    childrenNamed(stream, 'Parameter').map(({ attributes }) => [
      attributes['name'] ?? '',
      attributes['value'] ?? '',
    ]),
  );

/** The carrier discards it. */
const withoutQuery = (url: string): string => url.replace(/[?#].*$/, '');
