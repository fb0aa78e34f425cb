import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { ClockSpeed } from '../../sandbox/clock-speed.js';
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
import { voiceOf } from './added/call-voices.js';
import { FixedModels } from './added/fixed-models.js';
import { RelayCustomer } from './added/relay-customer.js';
import { StreamCustomer } from './added/stream-customer.js';
import { takeTurns, TURNS } from './added/take-turns.js';
import { TurnLatencies } from './added/turn-latencies.js';
import { LINES, PLAIN } from './lines.js';

const CALLS = positive('BENCH_ADDED_CALLS', 50);
/** The greetings have been heard by then. */
const GREETING_MS = 3_000;

interface Customer {
  speak(): void;
  close(): void;
}

/** What customers of one line share. */
interface Site {
  voice: VoiceService;
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
  open(site: Site, call: number, latencies: TurnLatencies): Promise<Customer>;
}

const ADDED_LINES: Record<string, AddedLine> = {
  relay: { fields: {}, mocks: 1, targetMs: 10, askedTargetMs: null, open: openRelay },
  providers: {
    fields: LINES.providers.fields,
    mocks: 3,
    targetMs: 60,
    askedTargetMs: null,
    open: openMedia,
  },
  multimodal: {
    fields: LINES.multimodal.fields,
    mocks: 1,
    targetMs: 30,
    askedTargetMs: 30,
    open: openMedia,
  },
};

/**
 * The latency that the service adds in many calls at once: from the end of the customer's words to the first frame of
 * the response on the line, without the delays of models and providers, which are simulated with fixed delays.
 */
export async function measureAdded(): Promise<Finding[]> {
  const database = await openDatabase();
  try {
    const findings: Finding[] = [];
    for (const [name, line] of Object.entries(ADDED_LINES))
      findings.push(...(await measureLine(database, name, line)));
    return findings;
  } finally {
    await database.close();
  }
}

async function measureLine(database: BenchDatabase, name: string, line: AddedLine): Promise<Finding[]> {
  say(`voice: added latency, ${name}, ${CALLS} calls at once`);
  const calls = Array.from({ length: CALLS }, () => new TurnLatencies(line.mocks));
  const models = new FixedModels(calls);
  const pacer = new Pacer();
  const modelUrl = await models.start();
  const fields = { ...PLAIN, calls_direction: 'receive', initial_message: 'Hello.', ...line.fields };
  const converse = async (voice: VoiceService): Promise<Finding[]> => {
    const site = { voice, pacer, clock: new ClockSpeed(1) };
    const customers: Customer[] = [];
    for (const [call, latencies] of calls.entries()) customers.push(await line.open(site, call, latencies));
    await sleep(GREETING_MS);
    const before = await processFigures(voice.service.url);
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    await Promise.all(calls.map((latencies, call) => takeTurns(latencies, () => customers[call]?.speak())));
    delay.disable();
    const after = await processFigures(voice.service.url);
    for (const customer of customers) customer.close();
    return [
      ...findingsOf(name, line, calls),
      noted(`${name}: CPU of the service`, '%', cpuShare(before, after)),
      noted(`${name}: event loop of the service, p99`, 'ms', after.loopP99Ms),
      noted(`${name}: event loop of the mocks, p99`, 'ms', delay.percentile(99) / 1e6),
    ];
  };
  try {
    // The customers' sound is no voice to the model.
    return await withVoiceService(database, modelUrl, fields, converse, { VOICE_DETECTION: 'energy' });
  } finally {
    pacer.stop();
    await models.stop();
  }
}

async function openRelay(
  { voice: { service, number }, clock }: Site,
  call: number,
  latencies: TurnLatencies,
): Promise<Customer> {
  const { sid, url, headers } = await incomingCall(service.url, number, callerOf(call), 'ConversationRelay');
  const socket = new WebSocket(url, { headers, perMessageDeflate: false });
  const customer = new RelayCustomer(socket, customerName(call), latencies, clock);
  await customer.open(sid);
  return customer;
}

async function openMedia(
  { voice: { service, number }, pacer }: Site,
  call: number,
  latencies: TurnLatencies,
): Promise<Customer> {
  const { url, headers } = await incomingCall(service.url, number, callerOf(call), 'Stream');
  const customer = new StreamCustomer(await openMediaStream(url, headers), voiceOf(call), latencies);
  pacer.add(() => customer.exchangeFrame());
  return customer;
}

const callerOf = (call: number): string => `+1212555${String(1000 + call)}`;

function findingsOf(
  name: string,
  { targetMs, askedTargetMs }: AddedLine,
  calls: readonly TurnLatencies[],
): Finding[] {
  const added = calls.flatMap((call) => call.added);
  const asked = calls.flatMap((call) => call.asked);
  const ofRequests =
    askedTargetMs === null
      ? []
      : [
          noted(`${name}: end of turn → model asked, p50`, 'ms', median(asked)),
          below(`${name}: end of turn → model asked, p95`, 'ms', askedTargetMs, quantile(asked, 0.95)),
        ];
  return [
    noted(`${name}: turns counted of ${CALLS * TURNS}`, '', added.length),
    noted(`${name}: added latency, p50`, 'ms', median(added)),
    below(`${name}: added latency, p95`, 'ms', targetMs, quantile(added, 0.95)),
    ...ofRequests,
  ];
}
