import { SANDBOX_ACCOUNT_SID, SANDBOX_AUTH_TOKEN } from '../../sandbox/defaults.js';
import { signRequest } from '../../sandbox/carrier/signature.js';
import { childrenNamed, parseTwiml } from '../../sandbox/carrier/twiml.js';

/**
 * Reports an inbound call like the carrier.
 *
 * @returns its id, and the socket URL of the answer document with the headers of the carrier
 */
export async function incomingCall(
  serviceUrl: string,
  to: string,
  from: string,
  element: 'ConversationRelay' | 'Stream',
): Promise<{ sid: string; url: string; headers: Record<string, string> }> {
  const sid = `CA${crypto.randomUUID().replaceAll('-', '')}`;
  const url = `${serviceUrl}/telephony/incoming`;
  const form = {
    AccountSid: SANDBOX_ACCOUNT_SID,
    CallStatus: 'ringing',
    Direction: 'inbound',
    CallSid: sid,
    From: from,
    To: to,
  };
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'x-twilio-signature': signRequest(SANDBOX_AUTH_TOKEN, url, form) },
    body: new URLSearchParams(form),
  });
  const [connect] = (parseTwiml(await answer.text()) ?? []).filter(({ name }) => name === 'Connect');
  const socketUrl = connect && childrenNamed(connect, element)[0]?.attributes['url'];
  if (!socketUrl) throw new Error(`the service does not take the call: ${answer.status}`);
  const signature = signRequest(SANDBOX_AUTH_TOKEN, socketUrl);
  return { sid, url: socketUrl, headers: { 'x-twilio-signature': signature } };
}
