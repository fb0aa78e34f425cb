import { setTimeout as sleep } from 'node:timers/promises';
import { packOf } from '#src/modules/conversations/languages/languages.js';
import { MS_PER_CHARACTER } from '../../sandbox/carrier/playback.js';
import { Cluster } from '../support/cluster.js';
import type { Random } from '../support/random.js';
import { say } from '../support/run-options.js';
import {
  longestSilence,
  lostWords,
  verifyConversations,
  type ConversationRules,
  type ObservedCall,
} from '../verifiers/conversations.js';
import { ConversationCustomer, MAX_CALL_SECONDS, type Placed } from './conversation-customer.js';
import { HangingTools, TOOLS } from './hanging-tools.js';
import { ProcessorWaits } from '../support/processor-waits.js';
import { CallObserver, tellEndings, tellSpeech } from './observe-calls.js';

/** Real time: the engine estimates playback in it. */
const SPEED = 1;
/** The longest call, its goodbye and its wrap-up. */
const SETTLE_MS = (MAX_CALL_SECONDS + 90) * 1_000;
const POLL_MS = 200;
const CONNECT_MS = 60_000;
/** Printed with problems. */
const LOG_LINES = 40;

const RULES: ConversationRules = {
  msPerCharacter: MS_PER_CHARACTER / SPEED,
  maxDocuments: 6,
  maxSilenceMs: 5_000,
  fillers: packOf('en').phrases.waiting,
  wordsAtBreak: 0,
  killedAt: null,
  waits: { between: () => 0 },
};

export interface PartOptions {
  random: Random;
  calls: number;
  /** SQL that changes the stored calls of this run. */
  defect: string | null;
}

export interface Bench {
  cluster: Cluster;
  observer: CallObserver;
  tools: HangingTools;
}

/**
 * Runs `place` on processes of the service, waits for the end of the calls, and verifies them.
 *
 * @param setting without `balanced` there is one process, else two behind a balancer
 */
export async function onCluster(
  { random, defect }: PartOptions,
  {
    balanced,
    rules = {},
    env = {},
    preload = [],
    judge = verifyConversations,
    verify = () => [],
  }: {
    balanced?: 'first' | 'spread';
    rules?: Partial<ConversationRules>;
    env?: Record<string, string>;
    preload?: readonly string[];
    /** Compares the calls with the heard speech. */
    judge?: (calls: readonly ObservedCall[], rules: ConversationRules) => string[];
    verify?: (calls: readonly ObservedCall[], bench: Bench) => Promise<string[]> | string[];
  },
  place: (bench: Bench) => Promise<Placed[]>,
): Promise<string[]> {
  const tools = new HangingTools();
  await tools.start();
  const roles = balanced ? (['all', 'all'] as const) : (['all'] as const);
  const cluster = await Cluster.start({
    random,
    roles,
    sandboxSpeed: SPEED,
    env,
    preload,
    ...(balanced ? { balanced } : {}),
  });
  const waits = new ProcessorWaits(() => [process.pid, ...cluster.pids]);
  const observer = new CallObserver(cluster);
  const bench = { cluster, observer, tools };
  try {
    const calls = await place(bench);
    const open = await observer.settle(calls, SETTLE_MS);
    if (defect !== null) await observer.alter(defect, calls);
    const observed = await observer.observe(calls);
    tellEndings(observed);
    const judged = { ...RULES, ...rules, killedAt: cluster.killedAt, waits };
    say(`longest pause of the assistant: ${(longestSilence(observed, judged) / 1000).toFixed(1)} s`);
    const lost = lostWords(observed, judged);
    if (judged.killedAt !== null)
      say(
        `utterances that died with the process: ${lost.length}${lost.map((ms) => `, at ${ms} ms`).join('')}`,
      );
    const problems = [
      ...(open === 0 ? [] : [`${open} calls are not final after ${SETTLE_MS / 1000} s`]),
      ...cluster.endedByThemselves(),
      ...judge(observed, judged),
      ...(await verify(observed, bench)),
    ];
    for (const call of observed) if (judge([call], judged).length > 0) tellSpeech(call);
    if (problems.length > 0) process.stderr.write(`${cluster.logProblems().slice(-LOG_LINES).join('\n')}\n`);
    return problems;
  } catch (error) {
    process.stderr.write(`${cluster.logProblems().slice(-LOG_LINES).join('\n')}\n`);
    throw error;
  } finally {
    waits.stop();
    await observer.close();
    await tools.close();
    await cluster.stop();
  }
}

export const KILL_CALLEES = ['0020', '0021', '0025', '0031', '0032'];
/** Calls start and the process dies within these times, so that the calls are in different states. */
const SPREAD_MS = 10_000;
const KILL_AFTER_MS = 8_000;

/** kill -9 of the process that holds all calls; the other one keeps running. */
export const kill = (options: PartOptions): Promise<string[]> =>
  onCluster(options, { balanced: 'first' }, async (bench) => {
    const calls = await callsInOneProcess(options, bench, KILL_CALLEES, 'slow');
    const victim = holder(bench.cluster);
    say(`kill -9 of process ${victim}`);
    await bench.cluster.kill(victim);
    return calls;
  });

const DRAIN_SECONDS = 5;
/** Maximum time that a customer waits for a response when a process is stopped in a deployment. */
const MAX_PAUSE_MS = 3_000;

/** SIGTERM of the process that holds all calls; calls that do not end within 5 s move to another process. */
export const stop = (options: PartOptions): Promise<string[]> => {
  const env = { DRAIN_SECONDS: String(DRAIN_SECONDS) };
  const rules = { maxSilenceMs: MAX_PAUSE_MS };
  return onCluster(options, { balanced: 'first', env, rules }, async (bench) => {
    const calls = await callsInOneProcess(options, bench, KILL_CALLEES, 'fine');
    const victim = holder(bench.cluster);
    say(`SIGTERM for process ${victim}`);
    const ms = await bench.cluster.terminate(victim);
    say(
      `it ended after ${(ms / 1000).toFixed(1)} s; its calls: ${await bench.observer.talking(calls)} go on`,
    );
    return calls;
  });
};

/**
 * Calls in different states of their conversations.
 *
 * @param tool one of `TOOLS`, for every second account
 * @param fields of the assistants
 */
export async function callsInOneProcess(
  options: PartOptions,
  { cluster, observer, tools }: Bench,
  callees: readonly string[],
  tool: string,
  fields: Record<string, unknown> = {},
): Promise<Placed[]> {
  const customers = await customersFor(options.calls, callees, async (at) => {
    const customer = await ConversationCustomer.create(cluster.publicUrl);
    const tool_ids = [await customer.tool(tools.url(tool))];
    const assistants = [await customer.assistant(fields), await customer.assistant({ ...fields, tool_ids })];
    return (callee) => customer.call(assistants[at % 2 === 0 ? 1 : 0] ?? 0, callee);
  });
  const calls = await placeAll(options.calls, SPREAD_MS / options.calls, customers);
  await waitUntil(async () => (await observer.talking(calls)) === calls.length);
  await sleep(options.random() * KILL_AFTER_MS);
  return calls;
}

/** The process with the most calls. */
export function holder(cluster: Cluster): number {
  const held = cluster.balancer?.openRelays() ?? [];
  say(`sockets of calls of the processes: ${held.join(', ')}`);
  return held.indexOf(Math.max(...held));
}

const CODES = ['1', '2', '5'];
const MOMENTS = ['1', '2', '3', '4', '5'];

/** Each error of the carrier at each moment, in the first session only and in every session. */
export const storm = (options: PartOptions): Promise<string[]> =>
  onCluster(
    options,
    { balanced: 'spread', rules: { maxSilenceMs: null, wordsAtBreak: 1 } },
    async ({ cluster, tools }) => {
      const customer = await ConversationCustomer.create(cluster.publicUrl);
      const assistant = await customer.assistant({ tool_ids: [await customer.tool(tools.url('slow'))] });
      const callees = ['08', '09'].flatMap((kind) =>
        CODES.flatMap((code) => MOMENTS.map((moment) => `${kind}${code}${moment}`)),
      );
      return placeAll(callees.length, 0, (index) => customer.call(assistant, callees[index] ?? ''));
    },
  );

/** Names of the sandbox's model with its oddities, and a model that is always refused. */
const MODELS = [
  'gpt-4.1-mini',
  'gpt-4.1-mini+parallel+same-index',
  'gpt-4.1-mini+late',
  'gpt-4.1-mini+hangs',
  'gpt-4.1-mini+empty',
  'gpt-4.1-mini+reasons',
  'gpt-4.1-mini+thinks+no-ids',
  'gpt-4o-realtime-preview+late',
];
const HOSTILE_CALLEES = '0020 0021 0022 0023 0025 0026 0027 0028 0030 0031 0032 0033 0034 0035 0005'.split(
  ' ',
);
const PAUSE_MS = 40;
/** Maximum number of concurrent calls: with more, the machine's own latency affects the results. */
const AT_ONCE = 100;

/** Every kind of callee, model and tool. */
export const hostile = (options: PartOptions): Promise<string[]> =>
  onCluster(options, { balanced: 'spread' }, async ({ cluster, observer, tools }) => {
    await observer.addModels(MODELS.slice(1));
    const customers = await customersFor(options.calls, HOSTILE_CALLEES, async (at) => {
      const customer = await ConversationCustomer.create(cluster.publicUrl);
      const tool = TOOLS[at % TOOLS.length] ?? '';
      const tool_ids = [await customer.tool(tools.url(tool))];
      const assistants: { id: number; name: string }[] = [];
      for (const llm_model of MODELS) {
        const name = `${llm_model}, tool ${tool}`;
        assistants.push({ id: await customer.assistant({ llm_model, tool_ids }), name });
      }
      return (callee) => {
        const { id = 0, name } = assistants[Math.floor(options.random() * assistants.length)] ?? {};
        return customer.call(id, callee, `${callee}, ${name}`);
      };
    });
    return placeInTurn(options.calls, AT_ONCE, observer, customers);
  });

/** Limits the concurrency. */
export async function placeInTurn(
  calls: number,
  atOnce: number,
  observer: CallObserver,
  place: (index: number) => Promise<Placed>,
): Promise<Placed[]> {
  const placed: Placed[] = [];
  while (placed.length < calls) {
    const free = atOnce - (await observer.open(placed));
    const count = Math.min(free, calls - placed.length);
    const from = placed.length;
    placed.push(...(await placeAll(count, PAUSE_MS, (index) => place(from + index))));
    await sleep(POLL_MS);
  }
  return placed;
}

type Caller = (callee: string) => Promise<Placed>;

/** As many accounts as necessary, because an account calls a number only once at a time. @returns calls by index */
export async function customersFor(
  calls: number,
  callees: readonly string[],
  create: (at: number) => Promise<Caller>,
): Promise<(index: number) => Promise<Placed>> {
  const callers: Caller[] = [];
  while (callers.length * callees.length < calls) callers.push(await create(callers.length));
  return (index) => {
    const caller = callers[index % callers.length];
    const callee = callees[Math.floor(index / callers.length)];
    if (!caller || callee === undefined) throw new Error(`nobody makes call ${index}`);
    return caller(callee);
  };
}

async function placeAll(
  count: number,
  pauseMs: number,
  place: (index: number) => Promise<Placed>,
): Promise<Placed[]> {
  const placing: Promise<Placed>[] = [];
  for (let index = 0; index < count; index++) {
    placing.push(place(index));
    await sleep(pauseMs);
  }
  return Promise.all(placing);
}

async function waitUntil(isTrue: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + CONNECT_MS; !(await isTrue()); await sleep(POLL_MS)) {
    if (Date.now() > deadline) throw new Error('the calls were not all in conversation at once');
  }
}
