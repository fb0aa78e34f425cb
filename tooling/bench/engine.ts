/**
 * npm run bench -- engine: latency of the first turn of a newly started service, and of the engine with many parallel
 * conversations in this process and simulated model and customers.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { SystemClock } from '#src/modules/conversations/engine/clock.js';
import { ConversationEngine } from '#src/modules/conversations/engine/conversation-engine.js';
import type { ConversationRecorder } from '#src/modules/conversations/engine/conversation-recorder.js';
import type { ConversationSettings } from '#src/modules/conversations/engine/conversation-settings.js';
import { coldStart } from './engine/cold-start.js';
import { SimulatedCustomer } from './engine/simulated-customer.js';
import { ScriptedModel } from './engine/scripted-model.js';
import { TurnWatch, type Waits } from './engine/waits.js';
import { above, below, noted, type Finding } from './support/findings.js';
import { SECONDS } from './support/pace.js';
import { say } from './support/progress.js';
import { quantile } from './support/stats.js';

const CALLS = 200;
const HELD = 1_000;
const TARGET_MS = 2;
const COLD_TARGET_MS = 50;

/** One turn per second: a higher load than real conversations. */
const EAGER_MS = [200, 600] as const;
/** Real customers listen to the response first. */
const USUAL_MS = [4_000, 10_000] as const;

const SETTINGS: ConversationSettings = {
  model: 'bench',
  fallbackModel: null,
  fallbackAfterMs: 3_000,
  temperature: 0.1,
  systemPrompt: 'You are the friendly voice of a bicycle shop. '.repeat(20),
  prompt: 'You are the friendly voice of a bicycle shop. ',
  language: 'en-US',
  otherLanguages: [],
  greeting: null,
  notice: null,
  tools: [],
  transferTargets: [],
  endCallDescription: 'When the customer says goodbye.',
  pressesKeys: false,
  callback: null,
  allowInterruptions: true,
  minInterruptWords: 0,
  fillers: null,
  speechSpeed: 1,
  reengagementSeconds: 30,
  maxSilenceSeconds: 40,
  reengagementPrompt: null,
  maxInitialSilenceSeconds: null,
  maxDurationSeconds: 1200,
};

export async function run(): Promise<Finding[]> {
  const cold = await coldStart();
  const busy = await converse(CALLS, EAGER_MS, SECONDS);
  const many = await converse(HELD, USUAL_MS, SECONDS * 3);
  return [
    below(
      "first turn of a cold process: slower than the call's later ones by",
      'ms',
      COLD_TARGET_MS,
      cold.first - cold.later,
    ),
    noted('its later turns: prompt → model request, median', 'ms', cold.later),
    below(`${CALLS} calls: prompt → model request, p95`, 'ms', TARGET_MS, quantile(busy.toRequest, 0.95)),
    below(`${CALLS} calls: first delta → frame out, p95`, 'ms', TARGET_MS, quantile(busy.toFrame, 0.95)),
    noted(`${CALLS} calls: turns`, '/s', busy.toRequest.length / SECONDS),
    above('calls held', 'calls', HELD, many.held),
    noted(`${HELD} calls: prompt → model request, p95`, 'ms', quantile(many.toRequest, 0.95)),
    noted(`${HELD} calls: first delta → frame out, p95`, 'ms', quantile(many.toFrame, 0.95)),
    noted(`${HELD} calls: memory of each`, 'kB', many.kilobytes),
  ];
}

interface ConversationResult extends Waits {
  /** Calls that were active at the end. */
  held: number;
  kilobytes: number;
}

async function converse(
  calls: number,
  [least, most]: readonly [number, number],
  seconds: number,
): Promise<ConversationResult> {
  say(`engine: ${calls} calls`);
  const before = process.memoryUsage().heapUsed;
  const waits: Waits = { toRequest: [], toFrame: [] };
  const watches = Array.from({ length: calls }, () => new TurnWatch(waits));
  const customers = watches.map(
    (watch) => new SimulatedCustomer(watch, () => least + Math.random() * (most - least)),
  );
  let held = calls;
  const conversations = customers.map((session, index) => {
    const model = new ScriptedModel(watches[index] ?? new TurnWatch(waits));
    const parts = {
      clock: new SystemClock(),
      session,
      model,
      tools: { run: noTool },
      recorder: RECORDER,
      bookCallback: async () => null,
    };
    return new ConversationEngine(parts, SETTINGS).run().finally(() => held--);
  });
  // The first turns are warm-up.
  await sleep(most);
  for (const watch of watches) watch.begin();
  await sleep(seconds * 1000);
  const result = { ...waits, held, kilobytes: (process.memoryUsage().heapUsed - before) / 1024 / calls };
  for (const customer of customers) customer.hangUp();
  await Promise.all(conversations);
  return result;
}

const noTool = (): Promise<never> => Promise.reject(new Error('The scripted model calls no tool.'));

/** Stores nothing and resolves immediately. */
const RECORDER: ConversationRecorder = {
  storeTurn: () => Promise.resolve(),
  truncateTurn: () => Promise.resolve(),
  markTurnPlayed: () => Promise.resolve(),
  storeUsage: async () => undefined,
  storeToolCall: () => Promise.resolve(),
  storeScreening: async () => undefined,
  storeTransfer: () => Promise.resolve(),
  suppressNumber: () => Promise.resolve(),
  storeEnd: () => Promise.resolve(),
  flush: () => undefined,
};
