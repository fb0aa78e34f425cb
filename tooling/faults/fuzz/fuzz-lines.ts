import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { anAccount, type TestAccount } from '../../../test/factories/account.js';
import { anAssistant } from '../../../test/factories/assistant.js';
import type { WebCall } from '../../../test/factories/web-call.js';
import { database } from '../../../test/support/database.js';
import { MULTIMODAL } from '../../../test/support/multimodal-call.js';
import { conclude } from '../support/conclude.js';
import { Installation } from '../support/installation.js';
import { seeded, type Random } from '../support/random.js';
import { numberOption, say } from '../support/run-options.js';
import { CARRIER } from '../../harness/sandbox-process.js';
import { memoryOf, resourcesOf, unlessDead } from './measure-process.js';
import { oddBrowserFrame, oddStreamFrame, type OddFrame } from './odd-line-frames.js';
import { OddModel } from './odd-model-events.js';
import { memoryProblems, resourceProblems, type MemorySample, type ResourceSample } from './verify-fuzz.js';

const FRAMES = 100_000;
const BROKEN_FRAMES = 2_000;
/** Of one line; below the rate limit of a line. */
const FRAMES_PER_LINE = 100;
const CONCURRENCY = 8;
const STEPS = 4;
/** An open line continues within this time. */
const GOES_ON_MS = 15_000;
const POLL_MS = 50;
/** Of one call, statuses of a busy machine. */
const REFUSALS = 10;
const BUSY_MS = 1_000;
const LOG_TAIL = 3_000;
/** Close codes of RFC 6455: normal closure, and policy violation. */
const DECIDED_ENDS = [1000, 1008];

/** Odd frames of the carrier and of browsers, and odd events of the realtime model. */
export async function fuzzLines(args: string[], seed: number, variant: string | null): Promise<void> {
  const broken = variant !== null;
  const frames = numberOption(args, '--frames', broken ? BROKEN_FRAMES : FRAMES);
  const random = seeded(seed);
  const model = new OddModel(random, FRAMES_PER_LINE);
  const endpoint = { base_url: await model.start(), api_key: 'odd' };
  const installation = await Installation.start({
    patches: broken ? ['collect-garbage', 'dying-reader'] : ['collect-garbage'],
    // All browsers have one address.
    env: { LLM_ENDPOINTS: JSON.stringify({ odd: endpoint }), PUBLIC_RATE_LIMIT_PER_MINUTE: '1000000' },
  });
  try {
    await database().query(`UPDATE language_models SET endpoint = 'odd' WHERE mode = 'multimodal'`);
    await installation.restart();
    const fuzzer = new LineFuzzer(installation, model, random, await anOwner());
    const memory: MemorySample[] = [];
    const resources: ResourceSample[] = [];
    for (let step = 1; step <= STEPS && installation.alive; step += 1) {
      await fuzzer.send((frames / STEPS) * step);
      if (!installation.alive) break;
      const used = await unlessDead(installation, memoryOf(installation, fuzzer.sent));
      const open = used && (await unlessDead(installation, resourcesOf(installation)));
      if (!used || !open) break;
      memory.push(used);
      resources.push(open);
    }
    say(`${fuzzer.told()}, ${model.sent} events of the model`);
    conclude(
      [
        ...fuzzer.problems(),
        ...(installation.alive ? [] : ['the service is dead']),
        ...memoryProblems(memory),
        ...resourceProblems(resources),
      ],
      { broken, planted: /the service is dead/ },
    );
  } finally {
    if (!installation.alive) say(`the last words of the service:\n${installation.output().slice(-LOG_TAIL)}`);
    await installation.stop();
    await model.close();
  }
}

interface Owner {
  account: TestAccount;
  multimodal: number;
  pipeline: number;
}

async function anOwner(): Promise<Owner> {
  const account = await anAccount({ plan: 'unlimited', balance: 10_000 });
  return {
    account,
    multimodal: await anAssistant(account, MULTIMODAL),
    pipeline: await anAssistant(account),
  };
}

class LineFuzzer {
  private readonly found = new Map<string, number>();
  private readonly counts = { streams: 0, browsers: 0, wentOn: 0, endedAsDecided: 0 };
  private frames = 0;

  constructor(
    private readonly installation: Installation,
    private readonly model: OddModel,
    private readonly random: Random,
    private readonly owner: Owner,
  ) {}

  /** Frames on lines and events of the model. */
  get sent(): number {
    return this.frames + this.model.sent;
  }

  told(): string {
    return `${JSON.stringify(this.counts)}, ${this.frames} frames on lines`;
  }

  problems(): string[] {
    return [...this.found].map(([problem, count]) => `${problem} (${count} times)`);
  }

  /** Until the total reaches this number. */
  async send(until: number): Promise<void> {
    const client = async (): Promise<void> => {
      while (this.sent < until && this.installation.alive) {
        await this.stream();
        await this.browser();
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, client));
  }

  /** A carrier that sends odd frames, and then audio, which the model receives; with an odd model the line may end. */
  private async stream(): Promise<void> {
    const number = (this.counts.streams += 1);
    const address = `${this.installation.url.replace('http', 'ws')}/telephony/stream/${await this.callToken()}`;
    const signature = createHmac('sha1', CARRIER.authToken).update(address).digest('base64');
    const line = await Line.open(address, { 'x-twilio-signature': signature });
    if (!line) return this.note('a media stream was not admitted');
    const mediaFormat = { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 };
    line.send(JSON.stringify({ event: 'start', streamSid: 'MZ1', start: { mediaFormat } }));
    const isOver = await this.odd(line, oddStreamFrame);
    const audio = Buffer.alloc(160, 0x22);
    audio.writeUInt32LE(number);
    const payload = audio.toString('base64');
    line.send(JSON.stringify({ event: 'media', media: { track: 'inbound', payload } }));
    const goesOn = () => this.model.heard.delete(payload);
    await this.judge('media stream', line, isOver, goesOn);
  }

  /** A browser that sends odd frames, and then words, which get a response. */
  private async browser(): Promise<void> {
    this.counts.browsers += 1;
    const url = await this.webCall().catch(() => null);
    if (url === null) return;
    const line = await Line.open(url);
    if (!line) return this.note('a web call was not admitted');
    const isOver = await this.odd(line, oddBrowserFrame);
    const before = line.received;
    line.send(JSON.stringify({ type: 'prompt', text: 'What is your name?', last: true }));
    await this.judge('web call', line, isOver, () => line.received > before);
  }

  /** @returns whether a frame was sent that ends the line */
  private async odd(line: Line, make: (random: Random) => OddFrame): Promise<boolean> {
    for (let left = FRAMES_PER_LINE; left > 0 && line.isOpen; left -= 1) {
      const { data, ends } = make(this.random);
      line.send(data);
      this.frames += 1;
      if (ends) return true;
      if (left % 10 === 0) await sleep(1);
    }
    return false;
  }

  private async judge(name: string, line: Line, isOver: boolean, goesOn: () => boolean): Promise<void> {
    const deadline = Date.now() + GOES_ON_MS;
    let isGoing = goesOn();
    while (!isOver && !isGoing && line.isOpen && Date.now() < deadline) {
      await sleep(POLL_MS);
      isGoing = goesOn();
    }
    const code = line.closedWith;
    if (isGoing) this.counts.wentOn += 1;
    else if (isOver || (code !== null && DECIDED_ENDS.includes(code))) this.counts.endedAsDecided += 1;
    else this.note(code === null ? `a ${name} did not go on` : `a ${name} was closed with ${code}`);
    await line.close();
  }

  /** Its URL; null: refused. */
  private async webCall(): Promise<string | null> {
    const { account, pipeline } = this.owner;
    for (let left = REFUSALS; ; left -= 1) {
      const body = { assistant_id: pipeline };
      const answer = await account.client.post<WebCall>('/user/web-calls', body);
      if (answer.status === 200) return answer.body.url;
      if (answer.status !== 503 || left === 0) {
        this.note(`a web call was answered ${answer.status}`);
        return null;
      }
      await sleep(BUSY_MS);
    }
  }

  private async callToken(): Promise<string> {
    const { account, multimodal } = this.owner;
    const { rows } = await database().query<{ token: string }>(
      `INSERT INTO calls (account_id, assistant_id, assistant_name, type, status, token, assistant_phone_number,
         client_phone_number, variables, price_per_minute_micros, max_duration)
       VALUES ($1, $2, 'Ada', 'outbound', 'in-progress', md5(random()::text), $3, '+15005550020', '{}', 0, 600)
       RETURNING token`,
      [account.id, multimodal, account.phoneNumber.phone_number],
    );
    return rows[0]?.token ?? '';
  }

  private note(problem: string): void {
    if (this.installation.alive) this.found.set(problem, (this.found.get(problem) ?? 0) + 1);
  }
}

const OPEN_MS = 15_000;

/** The other end of a line. */
class Line {
  closedWith: number | null = null;
  received = 0;

  private constructor(private readonly socket: WebSocket) {
    socket.on('error', () => undefined);
    socket.on('message', () => (this.received += 1));
    socket.on('close', (code) => (this.closedWith = code));
  }

  /** Null when it is refused. */
  static async open(url: string, headers: Record<string, string> = {}): Promise<Line | null> {
    const socket = new WebSocket(url, { headers, handshakeTimeout: OPEN_MS });
    const line = new Line(socket);
    return new Promise((resolve) => {
      socket.once('open', () => resolve(line));
      socket.once('close', () => resolve(null));
    });
  }

  get isOpen(): boolean {
    return this.socket.readyState === WebSocket.OPEN;
  }

  send(data: string | Buffer): void {
    if (this.isOpen) this.socket.send(data);
  }

  async close(): Promise<void> {
    if (this.closedWith !== null) return;
    const closed = new Promise((resolve) => this.socket.once('close', resolve));
    this.socket.close(1000);
    const timer = setTimeout(() => this.socket.terminate(), OPEN_MS);
    await closed;
    clearTimeout(timer);
  }
}
