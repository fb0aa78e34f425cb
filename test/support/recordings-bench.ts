import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, callWhen, HANGS_UP, type CallRecord } from '../factories/call.js';
import { Carrier } from './carrier.js';
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

/** Recordings of a service's calls, which can be followed from the carrier to their end. */
export class Recordings {
  private readonly receivers: Receiver[] = [];

  protected constructor(private readonly carrier: Carrier) {}

  /** Of the service that all files share. */
  static shared(): Recordings {
    return new Recordings(Carrier.shared());
  }

  get db(): pg.Pool {
    return this.carrier.db;
  }

  get url(): string {
    return new URL(this.carrier.root).origin;
  }

  journal(sid?: string): ReturnType<Carrier['journal']> {
    return this.carrier.journal(sid);
  }

  account(): Promise<TestAccount> {
    return anAccount({ service: this.carrier });
  }

  async stop(): Promise<void> {
    await Promise.all(this.receivers.map((receiver) => receiver.close()));
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
    const { sid } = await this.carrier.callAtCarrier(id);
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
    return this.carrier.stored(sid);
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

/** A service of its own, with a storage of recordings and a carrier that can go away. */
export class RecordingsBench extends Recordings {
  readonly until = until;

  private constructor(
    private readonly bench: CarrierBench,
    /** Between the service and the carrier. */
    readonly proxy: TcpProxy,
    readonly folder: string,
  ) {
    super(bench);
  }

  /** @param storage the value of `RECORDINGS_STORAGE` */
  static async start(storage = 'carrier', settings: Record<string, string> = {}): Promise<RecordingsBench> {
    const folder = mkdtempSync(join(tmpdir(), 'recordings-'));
    let proxy: TcpProxy | undefined;
    const bench = await CarrierBench.start(async (url) => (proxy = await TcpProxy.open(url)).url, 80, {
      OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
      RECORDINGS_STORAGE: storage,
      RECORDINGS_FOLDER: folder,
      ...settings,
    });
    if (!proxy) throw new Error('the proxy was not started');
    return new RecordingsBench(bench, proxy, folder);
  }

  restart(how: 'stop' | 'kill', settings: Record<string, string> = {}): Promise<void> {
    return this.bench.restart(how, settings);
  }

  override async stop(): Promise<void> {
    this.proxy.up();
    await this.bench.stop();
    await this.proxy.close();
    await super.stop();
    rmSync(this.folder, { recursive: true, force: true });
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
