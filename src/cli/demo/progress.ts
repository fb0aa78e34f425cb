import type { WriteStream } from 'node:tty';
import type { LeadProgress } from './round.js';
import { table } from '../output.js';
import type { Enquiry, VerifiedWebhook } from './local-servers.js';
import type { CallSeen } from './api.js';
import { SHOWN } from './script.js';

export interface ProgressView {
  show(leads: LeadProgress[], seconds: number): void;
}

const BAR_WIDTH = 24;

/** A bar that moves where somebody watches; a line per change where the output is kept, or colour is unwanted. */
export function progressOn(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): ProgressView {
  const isWatched = stream.isTTY && !env.NO_COLOR && env.TERM !== 'dumb';
  return isWatched ? new LiveProgress(stream) : new PlainProgress(stream);
}

export class PlainProgress implements ProgressView {
  private readonly states = new Map<string, string>();

  constructor(private readonly out: Pick<NodeJS.WritableStream, 'write'>) {}

  show(leads: LeadProgress[], seconds: number): void {
    for (const lead of leads.filter(({ phoneNumber, state }) => this.states.get(phoneNumber) !== state)) {
      this.states.set(lead.phoneNumber, lead.state);
      this.out.write(`${seconds.toFixed(1).padStart(5)} s  ${describe(lead)}\n`);
    }
  }
}

export class LiveProgress implements ProgressView {
  private lines = 0;

  constructor(private readonly out: Pick<WriteStream, 'write' | 'columns'>) {}

  /** Written over what was shown before; a line that would wrap is cut, else the count of lines were wrong. */
  show(leads: LeadProgress[], seconds: number): void {
    const done = leads.filter(({ settled }) => settled).length;
    const filled = Math.round((done / leads.length) * BAR_WIDTH);
    const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
    const lines = [
      `[${bar}] ${done}/${leads.length}  ${seconds.toFixed(1)} s`,
      ...leads.map((lead) => `${lead.settled ? '✔' : '·'} ${describe(lead)}`),
    ];
    const width = (this.out.columns || 80) - 1;
    const up = this.lines > 0 ? `\u001B[${this.lines}A` : '';
    this.out.write(up + lines.map((line) => `\u001B[2K${line.slice(0, width)}\n`).join(''));
    this.lines = lines.length;
  }
}

const describe = ({ phoneNumber, who, state }: LeadProgress): string =>
  `${phoneNumber}  ${who.padEnd(30)}  ${state}`;

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
