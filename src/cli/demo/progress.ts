import type { LeadProgress } from './campaign-run.js';
import { progressBar, canOverwriteLines, LiveLines } from '../live-lines.js';
import { formatTable } from '../output.js';
import type { ToolRequest, VerifiedWebhook } from './local-servers.js';
import type { DemoCall } from './api.js';
import { TRANSCRIPT_CALLEE } from './scenario.js';
import type { DemoSearch } from './searches.js';

export interface ProgressView {
  show(leads: LeadProgress[], seconds: number): void;
}

/** A progress bar on a terminal; one line per change in a file or pipe, or with `NO_COLOR`. */
export function progressViewFor(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): ProgressView {
  return canOverwriteLines(stream, env) ? new LiveProgress(stream) : new PlainProgress(stream);
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
  private readonly lines: LiveLines;

  constructor(out: ConstructorParameters<typeof LiveLines>[0]) {
    this.lines = new LiveLines(out);
  }

  show(leads: LeadProgress[], seconds: number): void {
    const done = leads.filter(({ settled }) => settled).length;
    this.lines.show([
      `${progressBar(done / leads.length)} ${done}/${leads.length}  ${seconds.toFixed(1)} s`,
      ...leads.map((lead) => `${lead.settled ? '✔' : '·'} ${describe(lead)}`),
    ]);
  }
}

const describe = ({ phoneNumber, who, state }: LeadProgress): string =>
  `${phoneNumber}  ${who.padEnd(30)}  ${state}`;

interface DemoResult {
  calls: DemoCall[];
  toolRequests: ToolRequest[];
  searches: DemoSearch[];
  webhooks: VerifiedWebhook[];
  balance: { before: number; after: number };
}

/** The text after the calls: a transcript, its evaluation, tool requests, searches, calls and costs, webhooks. */
export function formatDemoSummary({ calls, toolRequests, searches, webhooks, balance }: DemoResult): string {
  const completed = calls.filter(({ status }) => status === 'completed');
  const shown =
    completed.find(({ client_phone_number }) => client_phone_number === TRANSCRIPT_CALLEE) ?? completed[0];
  return [
    ...(shown ? [title(`Call ${shown.id} to ${shown.client_phone_number}`), ...quote(shown.transcript)] : []),
    ...(shown ? [title('Evaluation'), ...quote(JSON.stringify(shown.evaluation, null, 2))] : []),
    title('Requests to the tool during the calls'),
    ...toolRequests.map(({ day, time }) => `  check_appointment: day ${day}, time ${time}`),
    title('Answered from documents'),
    ...searches.map(({ question, source }) => `  ${question} -> ${source ?? 'no document'}`),
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

const callTable = (calls: DemoCall[]): string =>
  formatTable(
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
