import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, callWhen, HANGS_UP, type CallRecord } from '../factories/call.js';
import { CarrierBench } from './carrier-bench.js';
import { Receiver, type Received } from './receiver.js';
import { TcpProxy } from './tcp-proxy.js';
import { until } from './until.js';

export interface RecordedCall {
  id: number;
  /** At the carrier. */
  sid: string;
  record: CallRecord & { recording_url?: string };
  url: string;
  carrierUrl: string;
  /** As the carrier has it. */
  audio: Buffer;
  webhooks(count: number): Promise<Received[]>;
}

/** A service whose recordings can be followed from the carrier to their end. */
export class RecordingsBench {
  readonly until = until;
  private readonly receivers: Receiver[] = [];

  private constructor(
    private readonly bench: CarrierBench,
    /** Between the service and the carrier. */
    readonly carrier: TcpProxy,
    readonly folder: string,
  ) {}

  /** @param storage the value of `RECORDINGS_STORAGE` */
  static async start(storage = 'carrier', settings: Record<string, string> = {}): Promise<RecordingsBench> {
    const folder = mkdtempSync(join(tmpdir(), 'recordings-'));
    let carrier: TcpProxy | undefined;
    const bench = await CarrierBench.start(async (url) => (carrier = await TcpProxy.open(url)).url, 80, {
      OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
      RECORDINGS_STORAGE: storage,
      RECORDINGS_FOLDER: folder,
      ...settings,
    });
    if (!carrier) throw new Error('the proxy was not started');
    return new RecordingsBench(bench, carrier, folder);
  }

  get db(): pg.Pool {
    return this.bench.db;
  }

  get url(): string {
    return new URL(this.bench.root).origin;
  }

  journal(): ReturnType<CarrierBench['journal']> {
    return this.bench.journal();
  }

  restart(how: 'stop' | 'kill', settings: Record<string, string> = {}): Promise<void> {
    return this.bench.restart(how, settings);
  }

  account(): Promise<TestAccount> {
    return anAccount({ service: this.bench });
  }

  async stop(): Promise<void> {
    this.carrier.up();
    await this.bench.stop();
    await this.carrier.close();
    await Promise.all(this.receivers.map((receiver) => receiver.close()));
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** A finished call. */
  async call(
    user: TestAccount,
    assistantId: number,
    phoneNumber: string,
  ): Promise<{ id: number; record: RecordedCall['record'] }> {
    const id = await aCall(user, assistantId, { phoneNumber });
    return { id, record: await callWhen(user, id, ({ status }) => status === 'completed') };
  }

  async recordedCall(user: TestAccount, phoneNumber = HANGS_UP): Promise<RecordedCall> {
    const receiver = await Receiver.open();
    this.receivers.push(receiver);
    const assistantId = await anAssistant(user, {
      record_call: true,
      is_webhook_active: true,
      webhook_url: receiver.url,
    });
    const { id } = await this.call(user, assistantId, phoneNumber);
    const record = (await callWhen(user, id, (call) => 'recording_url' in call)) as RecordedCall['record'];
    const { sid } = await this.bench.callAtCarrier(id);
    const { rows } = await this.db.query<{ url: string }>(
      'SELECT recording_url AS url FROM calls WHERE id = $1',
      [id],
    );
    const carrierUrl = rows[0]?.url ?? '';
    const call = { id, sid, record, url: record.recording_url ?? '', carrierUrl, audio: Buffer.alloc(0) };
    const atCarrier = await this.fetchAtCarrier(call);
    const audio = Buffer.from(await atCarrier.arrayBuffer().catch(() => new ArrayBuffer(0)));
    return { ...call, audio, webhooks: (count) => receiver.requests(count) };
  }

  /** From the place where the carrier keeps it, whatever goes wrong with its downloads. */
  async fetchAtCarrier({ carrierUrl }: Pick<RecordedCall, 'carrierUrl'>): Promise<Response> {
    const sid = carrierUrl.split('/').at(-1) ?? '';
    return this.bench.stored(sid);
  }

  /** The row that says where the recording lies; null when it lies nowhere. */
  async stateOf({
    id,
  }: {
    id: number;
  }): Promise<{ state: string; storage: string; attempts: number } | null> {
    const { rows } = await this.db.query<{ state: string; storage: string; attempts: number }>(
      'SELECT state, storage, attempts FROM recordings WHERE call_id = $1',
      [id],
    );
    return rows[0] ?? null;
  }
}

export interface PlayerAnswer {
  status: number;
  headers: Headers;
  bytes: Buffer;
  json(): unknown;
}

/** As a player asks: without a token. */
export async function ask(
  url = '',
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<PlayerAnswer> {
  const response = await fetch(url, { method, headers });
  const bytes = Buffer.from(await response.arrayBuffer());
  return {
    status: response.status,
    headers: response.headers,
    bytes,
    json: () => JSON.parse(bytes.toString()) as unknown,
  };
}
