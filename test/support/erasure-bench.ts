import { randomInt, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, callWhen } from '../factories/call.js';
import { aCampaign } from '../factories/campaign.js';
import { aKnowledgeBase } from '../factories/knowledge.js';
import { CarrierBench } from './carrier-bench.js';
import { Receiver } from './receiver.js';
import { rowsWith, tablesWith } from './stored-texts.js';
import { TraceCollector } from './trace-collector.js';
import { until } from './until.js';

/** Somebody who has a number, and words that nobody else says. */
export interface TestPerson {
  number: string;
  word: string;
}

export interface ErasureJob {
  id: number;
  status: string;
  phone_number: string;
  counts: Record<string, number>;
  waits_for: string | null;
  error: string | null;
}

let sequence = randomInt(2_100, 2_900);

export const aPerson = (word: string): TestPerson => ({ number: `+1500555${++sequence}`, word });

const KEY = (): Record<string, string> => ({ 'Idempotency-Key': randomUUID() });
const SCHEMA = [{ name: 'city', type: 'string', description: 'Where the customer lives' }];

/** Of a header that the tool of calls sends. */
export const TOOL_SECRET = 'open sesame of the shop';

/** A service, a carrier and a receiver of their own, so that everything that they keep can be searched. */
export class ErasureBench {
  user!: TestAccount;
  private assistantId = 0;
  private replyingId = 0;
  private campaignId = 0;

  private constructor(
    readonly carrier: CarrierBench,
    private readonly receiver: Receiver,
    readonly traces: TraceCollector,
  ) {}

  static async start(): Promise<ErasureBench> {
    const traces = await TraceCollector.open();
    const settings = {
      OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
      OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
      RECORDINGS_STORAGE: 'folder',
      DUE_ROWS_MS: '300',
    };
    const carrier = await CarrierBench.start(undefined, 80, settings);
    const bench = new ErasureBench(carrier, await Receiver.open(), traces);
    await bench.prepare().catch(async (error: unknown) => {
      await bench.stop();
      throw error;
    });
    return bench;
  }

  async stop(): Promise<void> {
    await this.carrier.stop();
    await Promise.all([this.receiver.close(), this.traces.close()]);
  }

  /** Everything that an account can have of a person. */
  async meet({ number, word }: TestPerson): Promise<void> {
    const { client } = this.user;
    const variables = { name: word };
    const lead = { campaign_id: this.campaignId, phone_number: number, variables };
    await this.ok(client.post('/user/lead', lead, KEY()));
    await this.import(number, word);
    await this.ok(
      client.post('/user/campaigns/update-status', { campaign_id: this.campaignId, action: 'start' }),
    );
    await this.isRecorded(await this.callsOf(number, 1));
    const placed = await client.post<{ call_id: number }>(
      '/user/make_call',
      { assistant_id: this.assistantId, phone_number: number, variables },
      KEY(),
    );
    if (placed.status !== 200) throw new Error(placed.text);
    await this.isRecorded(await this.callsOf(number, 2));
    await this.carrier.receives(this.user.phoneNumber.phone_number, number, '0025');
    await this.isRecorded(await this.callsOf(number, 3));
    await this.sms({ number, word });
    await this.write({ number, word });
    await this.ok(client.post('/user/suppressions', { phone_number: number, reason: `Asked by ${word}` }));
    await this.isQuiet(number);
  }

  sms({ number, word }: TestPerson) {
    return this.ok(
      this.user.client.post(
        '/user/sms',
        { from: this.user.phoneNumber.id, to: number, body: `Good day, ${word}!` },
        KEY(),
      ),
    );
  }

  callTo(number: string): Promise<number> {
    return aCall(this.user, this.assistantId, { phoneNumber: number });
  }

  makeCall(number: string) {
    return this.user.client.post('/user/make_call', {
      assistant_id: this.assistantId,
      phone_number: number,
    });
  }

  async leadWith(number: string): Promise<{ id: number }> {
    const { body } = await this.user.client.post<{ data: { id: number } }>('/user/lead', {
      campaign_id: this.campaignId,
      phone_number: number,
    });
    return body.data;
  }

  erase(number: string, fields: object = {}, user = this.user) {
    return user.client.post<{ data: ErasureJob }>('/user/erasures', { phone_number: number, ...fields });
  }

  /** When the job is over. */
  async erased(id: number): Promise<ErasureJob> {
    return until(async () => {
      const { body } = await this.user.client.get<{ data: ErasureJob }>(`/user/erasures/${id}`);
      return ['done', 'failed'].includes(body.data.status) ? body.data : null;
    });
  }

  /** The places where one of the texts is kept: tables, files, the carrier, the log and the traces of the service. */
  async placesWith(texts: readonly string[]): Promise<string[]> {
    const has = (content: string | Buffer): boolean => texts.some((text) => content.includes(text));
    const files = readdirSync(this.carrier.dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    const shown = await Promise.all(
      ['/Calls.json?PageSize=1000', '/Messages.json?PageSize=1000'].map((path) =>
        this.carrier.shownAtCarrier(path),
      ),
    );
    return [
      ...(await tablesWith(this.carrier.db, texts)),
      ...files.filter((path) => has(readFileSync(path))),
      ...(shown.some(has) ? ['the carrier'] : []),
      ...(has(JSON.stringify(await this.carrier.journal())) ? ['the journal'] : []),
      ...(has(this.carrier.log) ? ['the log'] : []),
      ...(has(await this.exportedTraces()) ? ['the traces'] : []),
    ];
  }

  /** All rows in which one of the texts is, by table. */
  rowsWith(texts: readonly string[]): Promise<Record<string, string[]>> {
    return rowsWith(this.carrier.db, texts);
  }

  async count(sql: string, number: string): Promise<number> {
    const { rows } = await this.carrier.db.query<{ n: number }>(sql, [number]);
    return rows[0]?.n ?? 0;
  }

  /** Everything that was exported up to now: spans leave in the order in which they end. */
  private async exportedTraces(): Promise<string> {
    const id = randomUUID();
    await this.user.client.get('/user/me', { 'X-Request-Id': id });
    await this.traces.span('GET /api/user/me', ({ attributes }) => attributes['request.id'] === id);
    return this.traces.text;
  }

  private async prepare(): Promise<void> {
    this.user = await anAccount({ service: this.carrier, balance: 1_000 });
    const { client } = this.user;
    this.receiver.reply = ({ body }) => ({ body: JSON.stringify({ seen: body['input_variables'] ?? null }) });
    const webhook = { is_webhook_active: true, webhook_url: this.receiver.url, record_call: true };
    const evaluation = { post_call_evaluation: true, post_call_schema: SCHEMA };
    this.assistantId = await anAssistant(this.user, {
      ...webhook,
      ...evaluation,
      initial_message: 'Hello {name}, how can I help you?',
    });
    const tool = await client.post<{ data: { id: number } }>('/user/tools', {
      name: 'check_availability',
      description: 'Checks whether an appointment is available at the time that the customer asks for.',
      endpoint: this.receiver.url,
      method: 'GET',
      headers: [{ name: 'X-Shop-Key', value: TOOL_SECRET }],
      schema: [{ name: 'time', type: 'string', description: 'The time asked for' }],
    });
    await anAssistant(this.user, {
      ...webhook,
      calls_direction: 'receive',
      phone_number_id: this.user.phoneNumber.id,
      tool_ids: [tool.body.data.id],
    });
    const base = await aKnowledgeBase(this.user, { Hours: 'The shop opens at nine.' });
    this.replyingId = await anAssistant(this.user, {
      calls_direction: 'receive',
      knowledgebase_id: base,
      conversation_ended_webhook_url: this.receiver.url,
    });
    this.campaignId = await aCampaign(this.user, { assistant_id: this.assistantId, max_retries: 1 });
  }

  /** Until the question of the conversation is one that the documents do not answer. */
  private async write({ number, word }: TestPerson): Promise<void> {
    await until(async () => {
      const { status, text } = await this.user.client.post(
        '/user/ai/generate-reply',
        {
          assistant_id: this.replyingId,
          customer_identifier: number,
          message: `Which elephants does ${word} recommend?`,
        },
        KEY(),
      );
      if (status !== 200) throw new Error(text);
      const { rows } = await this.carrier.db.query(
        'SELECT 1 FROM unanswered_questions WHERE question LIKE $1',
        [`%${word}%`],
      );
      return rows.length > 0;
    });
  }

  private async import(number: string, word: string): Promise<void> {
    const form = new FormData();
    form.append('file', new Blob([`phone_number,name\n${number}12345,${word}\n`]), 'leads.csv');
    form.append('campaign_id', String(this.campaignId));
    await this.ok(this.user.client.send('POST', '/user/leads/import', form, KEY()));
  }

  private callsOf(number: string, count: number): Promise<number> {
    return until(async () => {
      const { rows } = await this.carrier.db.query<{ id: number }>(
        'SELECT id FROM calls WHERE client_phone_number = $1 ORDER BY id',
        [number],
      );
      return rows.length >= count ? (rows.at(-1)?.id ?? null) : null;
    });
  }

  /** It is over, its webhook is delivered, and its recording is copied. */
  private async isRecorded(id: number): Promise<void> {
    await callWhen(this.user, id, ({ webhook_response: { status_code: code } }) => code === 200);
    await until(async () => {
      const { rows } = await this.carrier.db.query(
        `SELECT 1 FROM recordings WHERE call_id = $1 AND state = 'kept' AND object_key IS NOT NULL`,
        [id],
      );
      return rows.length > 0;
    });
    // As a model writes it for a customer who says where he lives; statistics count it.
    await this.carrier.db.query(
      `UPDATE calls SET evaluation = jsonb_build_object('city', variables ->> 'name')
        WHERE id = $1 AND variables ? 'name'`,
      [id],
    );
  }

  /** The message has arrived, and statistics are summed up. */
  private async isQuiet(number: string): Promise<void> {
    await until(async () => {
      const { rows } = await this.carrier.db.query(
        `SELECT 1 WHERE NOT EXISTS (SELECT FROM call_stat_changes) AND NOT EXISTS (SELECT FROM domain_events)
            AND EXISTS (SELECT FROM sms_messages WHERE to_number = $1 AND status = 'delivered')`,
        [number],
      );
      return rows.length > 0;
    });
  }

  private async ok(answer: Promise<{ status: number; text: string }>): Promise<void> {
    const { status, text } = await answer;
    if (status > 201) throw new Error(`${status} ${text}`);
  }
}
