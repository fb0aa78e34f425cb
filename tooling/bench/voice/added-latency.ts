import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { ClockSpeed } from '../../sandbox/clock-speed.js';
import { startServer } from '../../harness/server-process.js';
import { openMediaStream } from '../realtime/carrier-stream.js';
import { Pacer } from '../realtime/pacer.js';
import { cpuShare, processFigures } from '../realtime/process-figures.js';
import { customerName } from '../support/customer-names.js';
import { openDatabase, type BenchDatabase } from '../support/database.js';
import { below, noted, type Finding } from '../support/findings.js';
import { incomingCall } from '../support/incoming-call.js';
import { positive } from '../support/pace.js';
import { say } from '../support/progress.js';
import { median, quantile } from '../support/stats.js';
import { withVoiceService, type VoiceService } from '../support/voice-service.js';
import { beginWebCall } from '../support/web-call.js';
import { pcmVoiceOf, voiceOf } from './added/call-voices.js';
import { FixedModels } from './added/fixed-models.js';
import { RelayCustomer } from './added/relay-customer.js';
import { StreamCustomer } from './added/stream-customer.js';
import { takeTurns, TURNS } from './added/take-turns.js';
import { TurnLatencies } from './added/turn-latencies.js';
import { WebCustomer } from './added/web-customer.js';
import { LINES, PLAIN } from './lines.js';

const CALLS = positive('BENCH_ADDED_CALLS', 50);
/** The greetings have been heard by then. */
const GREETING_MS = 3_000;

interface Customer {
  speak(): void;
  close(): void;
}

/** A customer's line to the process that is measured. */
interface Socket {
  url: string;
  headers: Record<string, string>;
  /** Of the call; empty: a web call has none. */
  sid: string;
}

/** What customers of one line share. */
interface Site {
  pacer: Pacer;
  clock: ClockSpeed;
}

interface AddedLine {
  /** Of the assistant. */
  fields: Record<string, unknown>;
  /** Number of mocks that answer before the first frame of a response. */
  mocks: number;
  /** Of the 95th percentile, in milliseconds. */
  targetMs: number;
  /** The same for the request of a response; null: it is not measured. */
  askedTargetMs: number | null;
  /** Begins a call at the service. */
  begin(voice: VoiceService, call: number): Promise<Socket>;
  open(socket: Socket, site: Site, call: number, latencies: TurnLatencies): Promise<Customer>;
  /** A process that only passes words on; null: there is none. */
  forwarder: string | null;
}

const phoneCall =
  (element: 'ConversationRelay' | 'Stream'): AddedLine['begin'] =>
  ({ service, number }, call) =>
    incomingCall(service.url, number, callerOf(call), element);

const MEDIA = { begin: phoneCall('Stream'), open: openMedia, forwarder: null };
const WEB = { begin: webCall, open: openBrowser, forwarder: null };
const PROVIDERS = { fields: LINES.providers.fields, mocks: 3, targetMs: 60, askedTargetMs: null };
const MULTIMODAL = { fields: LINES.multimodal.fields, mocks: 1, targetMs: 30, askedTargetMs: 30 };

const ADDED_LINES: Record<string, AddedLine> = {
  relay: {
    fields: {},
    mocks: 1,
    targetMs: 10,
    askedTargetMs: null,
    begin: phoneCall('ConversationRelay'),
    open: openRelay,
    forwarder: 'dist/tooling/bench/voice/added/relay-forwarder.js',
  },
  providers: { ...PROVIDERS, ...MEDIA },
  multimodal: { ...MULTIMODAL, ...MEDIA },
  'web, providers': { ...PROVIDERS, ...WEB },
  'web, multimodal': { ...MULTIMODAL, ...WEB },
};

/** Measurements of one process in many calls at once. */
interface Measured {
  calls: TurnLatencies[];
  cpuShare: number;
  loopP99Ms: number;
  /** Of this process, which has the customers and the mocks. */
  mocksLoopP99Ms: number;
}

/**
 * The latency that the service adds in many calls at once: from the end of the customer's words to the first frame of
 * the response on the line, without the delays of models and providers, which are simulated with fixed delays; and
 * where there is a process that only forwards, without the latency of the same calls through it.
 */
export async function measureAdded(): Promise<Finding[]> {
  const database = await openDatabase();
  try {
    const findings: Finding[] = [];
    for (const [name, line] of Object.entries(ADDED_LINES)) {
      const peer = line.forwarder === null ? null : await forwarded(name, line, line.forwarder);
      findings.push(...findingsOf(name, line, await served(database, name, line), peer));
    }
    return findings;
  } finally {
    await database.close();
  }
}

async function forwarded(name: string, line: AddedLine, forwarder: string): Promise<Measured> {
  say(`voice: ${name}, ${CALLS} calls at once, forwarded`);
  return withModels(line, async (calls, modelUrl) => {
    const { url, stop } = await startServer([forwarder], { env: { FORWARD_TO: modelUrl }, echo: true });
    const socket = { url: url.replace('http', 'ws'), headers: {}, sid: '' };
    try {
      return await converse(line, calls, url, async () => socket);
    } finally {
      await stop();
    }
  });
}

async function served(database: BenchDatabase, name: string, line: AddedLine): Promise<Measured> {
  say(`voice: ${name}, ${CALLS} calls at once, served`);
  const fields = { ...PLAIN, calls_direction: 'receive', initial_message: 'Hello.', ...line.fields };
  return withModels(line, (calls, modelUrl) => {
    const work = (voice: VoiceService): Promise<Measured> =>
      converse(line, calls, voice.service.url, (call) => line.begin(voice, call));
    // The customers' sound is no voice to the model.
    return withVoiceService(database, modelUrl, fields, work, { VOICE_DETECTION: 'energy' });
  });
}

async function withModels(
  { mocks }: AddedLine,
  work: (calls: TurnLatencies[], modelUrl: string) => Promise<Measured>,
): Promise<Measured> {
  const calls = Array.from({ length: CALLS }, () => new TurnLatencies(mocks));
  const models = new FixedModels(calls);
  try {
    return await work(calls, await models.start());
  } finally {
    await models.stop();
  }
}

/**
 * @param url of the process that is measured
 * @param socketOf opens the line of a call
 */
async function converse(
  line: AddedLine,
  calls: TurnLatencies[],
  url: string,
  socketOf: (call: number) => Promise<Socket>,
): Promise<Measured> {
  const site = { pacer: new Pacer(), clock: new ClockSpeed(1) };
  const customers: Customer[] = [];
  try {
    for (const [call, latencies] of calls.entries())
      customers.push(await line.open(await socketOf(call), site, call, latencies));
    await sleep(GREETING_MS);
    const before = await processFigures(url);
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    await Promise.all(calls.map((latencies, call) => takeTurns(latencies, () => customers[call]?.speak())));
    delay.disable();
    const after = await processFigures(url);
    return {
      calls,
      cpuShare: cpuShare(before, after),
      loopP99Ms: after.loopP99Ms,
      mocksLoopP99Ms: delay.percentile(99) / 1e6,
    };
  } finally {
    for (const customer of customers) customer.close();
    site.pacer.stop();
  }
}

async function openRelay(
  { url, headers, sid }: Socket,
  { clock }: Site,
  call: number,
  latencies: TurnLatencies,
): Promise<Customer> {
  const socket = new WebSocket(url, { headers, perMessageDeflate: false });
  const customer = new RelayCustomer(socket, customerName(call), latencies, clock);
  await customer.open(sid);
  return customer;
}

async function openMedia(
  { url, headers }: Socket,
  { pacer }: Site,
  call: number,
  latencies: TurnLatencies,
): Promise<Customer> {
  const customer = new StreamCustomer(await openMediaStream(url, headers), voiceOf(call), latencies);
  pacer.add(() => customer.exchangeFrame());
  return customer;
}

async function webCall(voice: VoiceService): Promise<Socket> {
  const { url } = await beginWebCall(voice);
  return { url, headers: {}, sid: '' };
}

async function openBrowser(
  { url }: Socket,
  { pacer }: Site,
  call: number,
  latencies: TurnLatencies,
): Promise<Customer> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  const customer = new WebCustomer(socket, pcmVoiceOf(call), latencies);
  await once(socket, 'open');
  pacer.add(() => customer.exchangeFrame());
  return customer;
}

const callerOf = (call: number): string => `+1212555${String(1000 + call)}`;

function findingsOf(name: string, line: AddedLine, own: Measured, peer: Measured | null): Finding[] {
  const added = own.calls.flatMap((call) => call.added);
  const asked = own.calls.flatMap((call) => call.asked);
  const others = peer?.calls.flatMap((call) => call.added);
  const latency = (share: number): Finding => {
    const what = `${name}: latency without the mocks, p${share * 100}`;
    return noted(what, 'ms', quantile(added, share), others && quantile(others, share));
  };
  const addedMs = quantile(added, 0.95) - (others ? quantile(others, 0.95) : 0);
  return [
    noted(`${name}: turns counted of ${CALLS * TURNS}`, '', added.length, others?.length),
    below(`${name}: added latency, p95`, 'ms', line.targetMs, addedMs),
    latency(0.5),
    latency(0.95),
    ...(line.askedTargetMs === null
      ? []
      : [
          noted(`${name}: end of turn → model asked, p50`, 'ms', median(asked)),
          below(`${name}: end of turn → model asked, p95`, 'ms', line.askedTargetMs, quantile(asked, 0.95)),
        ]),
    noted(`${name}: CPU of the process`, '%', own.cpuShare, peer?.cpuShare),
    noted(`${name}: event loop, p99`, 'ms', own.loopP99Ms, peer?.loopP99Ms),
    noted(`${name}: event loop of the mocks, p99`, 'ms', own.mocksLoopP99Ms, peer?.mocksLoopP99Ms),
  ];
}
