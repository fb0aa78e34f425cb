import type { LineFaults } from '../callees/callee.js';
import type { CallHandle } from './carrier-context.js';
import { RelaySession, type RelayOutcome } from './relay-session.js';
import { newSid } from './sids.js';
import { signRequest } from './signature.js';
import { refusalOf } from './relay-rules.js';
import { childrenNamed, type Verb } from './twiml.js';

/** The `<ConversationRelay>` of a `<Connect>`; null for another noun. */
export function relayOf(connect: Verb): Verb | null {
  return childrenNamed(connect, 'ConversationRelay').find((relay) => relay.attributes['url']) ?? null;
}

/** Holds one relay session; returns the fields for the action URL, and whether a session was opened. */
export async function connectRelay(
  call: CallHandle,
  connect: Verb,
  relay: Verb,
  faults: LineFaults,
  signal: AbortSignal,
): Promise<{ params: Record<string, string>; connected: boolean }> {
  const url = relay.attributes['url'] ?? '';
  const sessionId = newSid('VX');
  const startedAt = Date.now();
  const report = (fields: Record<string, string>) => ({
    SessionId: sessionId,
    SessionDuration: String(Math.ceil((Date.now() - startedAt) / 1000)),
    ...fields,
  });
  const session = new RelaySession(
    {
      url,
      signature: signRequest(call.carrier.authToken, url),
      attributes: relayAttributes(relay),
      setup: setupOf(call, relay, sessionId),
      refusal: refusalOf(relay),
      faults,
      languages: languagesOf(relay),
      refused: (why) => call.carrier.journal.write('refusal', call.record, { what: 'frame', why }),
      lost: () => call.carrier.journal.write('socket-lost', call.record),
    },
    call.line,
    call.carrier.clockSpeed,
  );
  try {
    const outcome = await session.run(signal);
    const connected = outcome.kind === 'ended' || outcome.errorCode === 64105;
    return { params: report(outcomeParams(outcome)), connected };
  } catch (error) {
    tellOfHangUp(call, connect, report({ SessionStatus: 'completed' }));
    throw error;
  }
}

function languagesOf(relay: Verb): string[] {
  const { language, ttsLanguage, transcriptionLanguage } = relay.attributes;
  const codes = childrenNamed(relay, 'Language').map(({ attributes }) => attributes['code']);
  return [language, ttsLanguage, transcriptionLanguage, ...codes].filter((code) => code !== undefined);
}

/** `<Language>` children define a voice for each language; the noun's attributes include one too. */
function relayAttributes(relay: Verb): Record<string, string> {
  const language = childrenNamed(relay, 'Language')[0]?.attributes['code'];
  return { ...(language !== undefined && { language }), ...relay.attributes };
}

function setupOf(call: CallHandle, relay: Verb, sessionId: string): Record<string, unknown> {
  const { sid, from, to, direction } = call.record;
  const parameters = childrenNamed(relay, 'Parameter').map(({ attributes }) => [
    attributes['name'] ?? '',
    attributes['value'] ?? '',
  ]);
  return {
    sessionId,
    accountSid: call.carrier.accountSid,
    callSid: sid,
    parentCallSid: null,
    from,
    to,
    forwardedFrom: null,
    callType: 'PSTN',
    callerName: null,
    direction,
    callStatus: 'IN_PROGRESS',
    customParameters: Object.fromEntries(parameters),
  };
}

function outcomeParams(outcome: RelayOutcome): Record<string, string> {
  if (outcome.kind === 'failed') {
    const { errorCode, errorMessage } = outcome;
    return { SessionStatus: 'failed', ErrorCode: String(errorCode), ErrorMessage: errorMessage };
  }
  const { handoffData } = outcome;
  return { SessionStatus: 'ended', ...(handoffData !== null && { HandoffData: handoffData }) };
}

/** The action URL is requested even when the call ends during the session; its response is ignored then. */
export function tellOfHangUp(call: CallHandle, connect: Verb, params: Record<string, string>): void {
  const url = connect.attributes['action'];
  if (url === undefined || call.record.endedAt === null) return;
  const webhook = { event: 'action', url, subject: call.record, params: call.params(params) };
  void call.carrier.webhooks.notify(webhook);
}
