import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { anAccount, type TestAccount } from '../../../test/factories/account.js';
import { anAssistant } from '../../../test/factories/assistant.js';
import { send } from '../../../test/support/carrier.js';
import { Receiver } from '../../../test/support/receiver.js';
import { persona } from '../../sandbox/callees/callees.js';
import type { JournalEntry } from '../../sandbox/journal.js';
import { AccountQueries } from '../support/account-queries.js';
import { CallQueries } from '../support/call-queries.js';
import { conclude } from '../support/conclude.js';
import { Installation, type Patch } from '../support/installation.js';
import { seeded, type Random } from '../support/random.js';
import { numberOption, say } from '../support/run-options.js';
import { waitAtMost } from '../support/wait-until-idle.js';
import { oneOf } from './odd-values.js';
import { reportProblems, type CallRow, type ReportedCall } from './verify-reports.js';

const CALLS = 600;
const BROKEN_CALLS = 120;
/** Calls at a time. */
const CONCURRENCY = 60;
const INBOUND_SHARE = 0.3;
/**
 * Of the callees. Slow: the service hangs up on a machine up to 10 s after its report, while both sides have to
 * speak.
 */
const SPEED = 6;
const MAX_CALL_SECONDS = 30;
/** An end requested from the carrier, which does not report it. */
const SETTLE_MS = 240_000;
const POLL_MS = 250;
/** Of one call, statuses of a busy machine. */
const REFUSALS = 10;
const BUSY_MS = 1_000;
/** The heard part is stored within this time. */
const STORED_MS = 1_000;

/** Numbers with reports in a special order. */
const FIRST_NUMBER = 1_000;
const NUMBERS = 1_000;

/** By variant: the planted defect, and the problem that it causes. */
const PLANTED: Readonly<Record<string, { patch: Patch; planted: RegExp }>> = {
  'one-step': { patch: 'one-step-reports', planted: /after its report/ },
  machines: { patch: 'sure-machines', planted: /after both had spoken/ },
};
export const REPORT_VARIANTS = Object.keys(PLANTED);

/** Calls whose reports come late, twice, never and in any order. */
export async function fuzzReports(args: string[], seed: number, broken: string | null): Promise<void> {
  const calls = numberOption(args, '--calls', broken === null ? CALLS : BROKEN_CALLS);
  const defect = PLANTED[broken ?? ''];
  const installation = await Installation.start({
    patches: defect ? [defect.patch] : [],
    sandboxSpeed: SPEED,
    env: { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' },
  });
  const receiver = await Receiver.open();
  const run = new ReportRun(installation, receiver, seeded(seed));
  try {
    await run.begin();
    await run.place(calls);
    const pending = await run.settle();
    const observed = await run.observe();
    tell(observed);
    conclude([...reportProblems(observed), ...(await run.audit()), ...pending], {
      broken: broken !== null,
      planted: defect?.planted ?? /$^/,
    });
  } finally {
    await run.end();
    await receiver.close();
    await installation.stop();
  }
}

class ReportRun {
  private readonly pool: pg.Pool;
  private readonly queries: CallQueries;
  private account: TestAccount;
  private outbound: number[] = [];

  constructor(
    private readonly installation: Installation,
    private readonly receiver: Receiver,
    private readonly random: Random,
  ) {
    this.pool = new pg.Pool({ connectionString: installation.databaseUrl, max: 2 });
    this.queries = new CallQueries(installation.databaseUrl);
  }

  async begin(): Promise<void> {
    this.account = await anAccount({ plan: 'unlimited', balance: 10_000 });
    const fields = {
      is_webhook_active: true,
      webhook_url: this.receiver.url,
      send_webhook_only_on_completed: false,
      post_call_evaluation: false,
      max_call_duration: MAX_CALL_SECONDS,
    };
    // With a message the service speaks to a machine at once, without one it hangs up later.
    for (const more of [{ voice_mail_message: 'Please call us back.' }, { end_call_on_voicemail: true }])
      this.outbound.push(await anAssistant(this.account, { ...fields, ...more }));
    const number = { calls_direction: 'receive', phone_number_id: this.account.phoneNumber.id };
    await anAssistant(this.account, { ...fields, ...number });
    await send('PUT', `${this.installation.sandboxUrl}/config`, {
      voice_url: `${this.installation.url}/telephony/incoming#rc=5&rp=all`,
      status_callback: `${this.installation.url}/telephony/status`,
    });
  }

  /** Each with another number, so that the account's webhooks can be distinguished. */
  async place(calls: number): Promise<void> {
    const digits = Array.from({ length: NUMBERS }, (_, at) => String(FIRST_NUMBER + at));
    const order = digits.map((name) => ({ name, at: this.random() })).sort((a, b) => a.at - b.at);
    for (let index = 0; index < calls; index += 1) {
      while ((await this.running()) >= CONCURRENCY) await sleep(POLL_MS);
      const name = order[index % NUMBERS]?.name ?? '';
      if (index >= NUMBERS || this.random() < INBOUND_SHARE) await this.receive(name, index);
      else await this.call(name);
    }
  }

  private async call(digits: string): Promise<void> {
    const call = { assistant_id: oneOf(this.random, this.outbound), phone_number: `+1500555${digits}` };
    for (let left = REFUSALS; ; left -= 1, await sleep(BUSY_MS)) {
      const { status, text } = await this.account.client.post('/user/make_call', call);
      if (status === 200) return;
      if (status !== 503 || left === 0) throw new Error(`the call was refused: ${status} ${text}`);
    }
  }

  private receive(digits: string, index: number): Promise<void> {
    const from = `+1415556${String(index).padStart(4, '0')}`;
    const to = this.account.phoneNumber.phone_number;
    return send('POST', `${this.installation.sandboxUrl}/inbound`, { from, to, persona: digits });
  }

  private async running(): Promise<number> {
    const { rows } = await this.pool.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM calls WHERE ended_at IS NULL',
    );
    return rows[0]?.n ?? 0;
  }

  /** @returns the running calls */
  async settle(): Promise<string[]> {
    const underWay = async (): Promise<string[]> => {
      const { rows } = await this.pool.query<{ line: string }>(
        `SELECT 'webhook ' || id AS line FROM webhook_deliveries WHERE state = 'pending'`,
      );
      return [...(await this.queries.underWay()), ...rows.map(({ line }) => line)];
    };
    return waitAtMost(underWay, SETTLE_MS);
  }

  async audit(): Promise<string[]> {
    const accounts = await AccountQueries.open(this.installation.databaseUrl);
    return accounts.audit().finally(() => accounts.close());
  }

  async observe(): Promise<ReportedCall[]> {
    const { rows } = await this.pool.query<Omit<CallRow, 'cost'> & { cost: string }>(
      `SELECT calls.id, carrier_sid AS sid, status, ended_reason AS "endedReason", total_cost_micros AS cost,
              extract(epoch FROM ended_at)::float * 1000 AS "endedAt",
              (SELECT count(*)::int FROM ledger_entries WHERE reference = calls.id::text AND kind = 'call') AS charges,
              EXISTS (SELECT FROM call_attempts WHERE call_id = calls.id AND state <> 'closed') AS "takesSlot"
         FROM calls`,
    );
    const records = new Map(rows.map((row) => [row.sid, { ...row, cost: BigInt(row.cost) }]));
    const bySid = new Map<string, JournalEntry[]>();
    for (const entry of this.installation.journal()) {
      if (['dial', 'inbound'].includes(entry.kind)) bySid.set(entry.sid, []);
      bySid.get(entry.sid)?.push(entry);
    }
    return [...bySid].map(([sid, entries]) => this.seen(entries, records.get(sid) ?? null));
  }

  private seen(entries: readonly JournalEntry[], record: CallRow | null): ReportedCall {
    const { sid, kind, from, to } = entries[0] as JournalEntry;
    const number = kind === 'dial' ? to : from;
    const stands = entries.findLast(isState)?.['call'] as { status: string } | undefined;
    const endsAt = Date.parse((redirectIn(entries) ?? entries.findLast(isState) ?? entries[0])?.at ?? '');
    const wasHeard = (who: string): boolean =>
      entries.some(
        (entry) => entry['who'] === who && isWords(entry) && Date.parse(entry.at) < endsAt - STORED_MS,
      );
    const told = this.receiver.received.filter(({ body }) => body['customer_phone'] === number);
    return {
      what: `${kind} ${number} ${sid}`,
      carrierStatus: stands?.status ?? 'unknown',
      endReportedAt: endReportedAt(entries),
      isConversation: wasHeard('callee') && wasHeard('assistant'),
      isGivenUp: entries.some((entry) => entry.kind === 'refusal' && entry['what'] === 'document'),
      record,
      completions: new Set(told.map(({ headers }) => headers['webhook-id'])).size,
    };
  }

  async end(): Promise<void> {
    await this.queries.close();
    await this.pool.end();
  }
}

const isState = ({ kind }: JournalEntry): boolean => kind === 'call';
const isWords = ({ kind, text, heard = text }: JournalEntry): boolean =>
  kind === 'speech' && /\p{L}/u.test(String(heard));
/** The service speaks to a machine through the carrier. */
const redirectIn = (entries: readonly JournalEntry[]): JournalEntry | undefined =>
  entries.find(({ event }) => event === 'redirect');

/** Time of the service's response to the first report of the call's end. */
function endReportedAt(entries: readonly JournalEntry[]): number | null {
  const first = entries.find(
    ({ kind, event, status }) =>
      kind === 'callback' &&
      /^status:(?:completed|busy|no-answer|failed|canceled)$/.test(String(event)) &&
      Number(status) >= 200 &&
      Number(status) < 300,
  );
  return first ? Date.parse(first.at) : null;
}

/** Prints the calls' end reasons, and the number of calls with odd reports. */
function tell(calls: readonly ReportedCall[]): void {
  const counts = new Map<string, number>();
  for (const { record, what } of calls) {
    const key = [what.split(' ')[0], record?.status, record?.endedReason ?? ''].join(' ').trim();
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const givenUp = calls.filter(({ isGivenUp }) => isGivenUp).length;
  const unreported = calls.filter(({ endReportedAt: at }) => at === null).length;
  const first = calls.filter(({ what }) => {
    const digits = /\+1500555(\d{4})/.exec(what)?.[1];
    return digits !== undefined && persona(digits).reportOrder?.endsFirst;
  }).length;
  say(`${calls.length} calls: ${JSON.stringify(Object.fromEntries(counts))}`);
  say(`the end of ${unreported} was never reported, that of ${first} of the service's before its request`);
  say(`${givenUp} were given up by the carrier because the service did not answer in time`);
}
