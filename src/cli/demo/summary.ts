import { table } from '../output.js';
import type { Enquiry } from './appointment-desk.js';
import type { CallSeen } from './api-types.js';
import { SHOWN } from './script.js';
import type { VerifiedWebhook } from './verify-webhooks.js';

interface Outcome {
  calls: CallSeen[];
  enquiries: Enquiry[];
  webhooks: VerifiedWebhook[];
  balance: { before: number; after: number };
}

/** What is left to read when the calls are over. */
export function summarize({ calls, enquiries, webhooks, balance }: Outcome): string {
  const completed = calls.filter(({ status }) => status === 'completed');
  const shown = completed.find(({ client_phone_number }) => client_phone_number === SHOWN) ?? completed[0];
  return [
    ...(shown ? [title(`Call ${shown.id} to ${shown.client_phone_number}`), ...quote(shown.transcript)] : []),
    ...(shown
      ? [title('What the evaluation found in it'), ...quote(JSON.stringify(shown.evaluation, null, 2))]
      : []),
    title('What the tool was asked during the calls'),
    ...enquiries.map(({ day, time }) => `  check_appointment: day ${day}, time ${time}`),
    title('Calls and costs'),
    ...quote(callTable(calls)),
    `  Balance ${balance.before.toFixed(4)} -> ${balance.after.toFixed(4)}`,
    title('Webhooks received'),
    ...webhooks.map(
      ({ event, callId, webhookId, problem }) =>
        `  ${event} of call ${callId}, ${webhookId}: ${problem === null ? 'signature verified' : `REFUSED: ${problem}`}`,
    ),
    '',
  ].join('\n');
}

const callTable = (calls: CallSeen[]): string =>
  table(
    ['call', 'number', 'status', 'answered by', 'ended by', 'seconds', 'carrier', 'total'],
    calls
      .toReversed()
      .map((call) => [
        call.id,
        call.client_phone_number,
        call.status,
        call.answered_by,
        call.ended_by ?? '-',
        call.duration,
        call.carrier_cost,
        call.total_cost,
      ]),
  );

const title = (text: string): string => `\n${text}\n${'-'.repeat(text.length)}`;

const quote = (text: string): string[] => text.split('\n').map((line) => `  ${line}`);
