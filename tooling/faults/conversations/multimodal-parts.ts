import { setTimeout as sleep } from 'node:timers/promises';
import { MULTIMODAL } from '../../../test/support/multimodal-call.js';
import { AccountQueries } from '../support/account-queries.js';
import { say } from '../support/run-options.js';
import type { ConversationRules, ObservedCall } from '../verifiers/conversations.js';
import {
  isJudgedByWords,
  lostAtKill,
  verifyMultimodal,
  type MultimodalRules,
} from '../verifiers/multimodal.js';
import { BreakingModel } from './breaking-model.js';
import { ConversationCustomer, type Placed } from './conversation-customer.js';
import {
  callsInOneProcess,
  customersFor,
  holder,
  onCluster,
  placeInTurn,
  type Bench,
  type PartOptions,
} from './conversation-parts.js';
import { makeLinesDifficult } from './difficult-lines.js';
import { TOOLS } from './hanging-tools.js';

const GREETING = 'Hello, this is Ada from the bicycle shop around the corner. Do you have a minute?';
const FIELDS = { ...MULTIMODAL, initial_message: GREETING };
/** Of the catalogue, both at the endpoint of the language model. */
const PROVIDER_FIELDS = {
  initial_message: GREETING,
  synthesizer_provider_id: 1,
  transcriber_provider_id: 2,
};
/** Polite, interrupting, asking for a tool, pressing keys, with backchannels. */
const KILL_CALLEES = ['0020', '0021', '0025', '0026', '0028'];
/** Talks for two minutes, and laughs. It is called first: its calls last longer than others. */
const TALKER = { callee: '0043', fields: { max_call_duration: 200 } };
/**
 * The same, and: silent, hanging up, talking without end, coughing, with a socket that breaks, talking over, pausing in
 * sentences, lively.
 */
const CALLEES = [
  TALKER.callee,
  ...'0020 0021 0022 0023 0025 0026 0027 0028 0030 0033 0035 0037 0039'.split(' '),
];
/** The sandbox is another process here: the service treats its tones as any audio, without voices. */
const ENERGY = { VOICE_DETECTION: 'energy' };
/** 50 frames a second each way and call: with more calls, the machine's own latency affects the results. */
const AT_ONCE = 30;
/** The same with speech providers; synthesis and recognition of their tones take the sandbox more time. */
const AT_ONCE_WITH_PROVIDERS = 15;
const MAX_DOCUMENTS = 6;
/** Wrap-up of the last call. */
const CHARGED_MS = 30_000;
const POLL_MS = 1_000;
/** Printed of each side for a call with wrong words. */
const SHOWN_LINES = 12;

export interface MultimodalOptions extends PartOptions {
  /** Modules in `faults/` with a planted defect. */
  preload: readonly string[];
  /** About half of the callees have lines with traits in a random combination. */
  difficultLines: boolean;
  /** Receives the number of calls whose words were checked. */
  judged: (calls: number) => void;
}

/** Of the voice of speech providers. */
const TONES = { charactersAtCut: 2 };

const rulesOf = ({ killedAt, waits }: ConversationRules): MultimodalRules => ({
  killedAt,
  waits,
  greeting: GREETING,
  notice: 'You are speaking with an automated assistant.',
  maxDocuments: MAX_DOCUMENTS,
});

/** Silences are printed, not checked: they include a new session with the model. */
const setting = (
  { preload, judged, difficultLines }: MultimodalOptions,
  more: Partial<MultimodalRules> = {},
) => ({
  preload,
  env: ENERGY,
  rules: { maxSilenceMs: null },
  judge: (calls: readonly ObservedCall[], rules: ConversationRules) => {
    const own = { ...rulesOf(rules), hasTraits: difficultLines, ...more };
    const byWords = calls.filter(isJudgedByWords).length;
    if (calls.length > 1) {
      judged(byWords);
      const latest = Math.max(0, ...calls.map(({ stalledMs }) => stalledMs));
      say(
        `the carrier was at most ${latest} ms late; words are judged in ${byWords} of ${calls.length} calls`,
      );
    }
    if (own.killedAt !== null && calls.length > 1)
      say(`calls of which words were lost at the kill: ${lostAtKill(calls, own).length}`);
    for (const call of calls) if (verifyMultimodal([call], own).length > 0) show(call);
    const tooFew = calls.length > 1 && byWords * 2 < calls.length;
    return [
      ...(tooFew ? [`the machine was too busy: words were judged in ${byWords} calls only`] : []),
      ...verifyMultimodal(calls, own),
    ];
  },
  verify: async (_calls: readonly ObservedCall[], bench: Bench) => leftovers(bench),
});

/** The end of a call with wrong words, in both versions. */
function show({ id, transcript, speech, interruptedAt, endedAt }: ObservedCall): void {
  const stored = transcript.split('\n').slice(-SHOWN_LINES);
  say(
    `call ${id}: ${JSON.stringify({ stored, speech: speech.slice(-SHOWN_LINES), interruptedAt, endedAt })}`,
  );
}

/** kill -9 of the process that holds all calls; the other one takes them over, with a new session of their model. */
export const kill = (options: MultimodalOptions): Promise<string[]> => killWith(options, FIELDS, {});

/** The same in calls of assistants with speech providers. */
export const killProviders = (options: MultimodalOptions): Promise<string[]> =>
  killWith(options, PROVIDER_FIELDS, TONES);

const killWith = (
  options: MultimodalOptions,
  fields: Record<string, unknown>,
  rules: Partial<MultimodalRules>,
): Promise<string[]> =>
  onCluster(options, { ...setting(options, rules), balanced: 'first' }, async (bench) => {
    const calls = await callsInOneProcess(options, bench, KILL_CALLEES, 'slow', fields);
    const victim = holder(bench.cluster);
    say(`kill -9 of process ${victim}`);
    await bench.cluster.kill(victim);
    return calls;
  });

/** The model's sessions are reset at random moments: the calls continue in pipeline mode. */
export const cut = async (options: MultimodalOptions): Promise<string[]> => {
  const models = new BreakingModel(options.random);
  const env = { ...ENERGY, LLM_BASE_URL: `${await models.start()}/v1` };
  try {
    return await onCluster(options, { ...setting(options), env, balanced: 'spread' }, async (bench) => {
      models.leadTo(bench.cluster.sandbox.url);
      const placed = await everyCallee(options, bench, [{ ...FIELDS, llm_model: 'gpt-realtime-2.1' }]);
      await bench.observer.settle(placed, SETTLE_MS);
      const without = await bench.observer.withoutRealtime(placed);
      say(`${models.broken} sessions of the model were reset, ${without} calls went on without it`);
      return placed;
    });
  } finally {
    await models.close();
  }
};
const SETTLE_MS = 180_000;

/**
 * A model that cannot be reached, fails, or closes its session, and one that is limited, stalls or breaks off in its
 * first response, beside a working one.
 */
const MODELS = ['refuses', 'fails', 'breaks', 'limited', 'stalls', 'breaks-off'].map(
  (quirk) => `gpt-realtime+${quirk}`,
);

/** Every kind of callee, tool and model. */
export const hostile = (options: MultimodalOptions): Promise<string[]> =>
  onCluster(options, { ...setting(options), balanced: 'spread' }, async (bench) => {
    await bench.observer.addModels(MODELS, 'multimodal');
    const models = [...MODELS.map(() => 'gpt-realtime-2.1'), ...MODELS];
    return everyCallee(
      options,
      bench,
      models.map((llm_model) => ({ ...FIELDS, llm_model })),
    );
  });

/**
 * Transcribers that stream words: as they are, late, breaking and silent. Without final results the last word of an
 * interim one may be wrong, which no call is judged by.
 */
const TRANSCRIBERS = [
  'nova-3',
  'nova-3+late',
  'nova-3+breaks',
  'nova-3+stalls',
  'flux-general-en',
  'flux-general-en+late',
  'flux-general-en+breaks',
];

/** Every kind of callee, tool and transcriber, with speech providers. */
export const providers = (options: MultimodalOptions): Promise<string[]> =>
  onCluster(options, { ...setting(options, TONES), balanced: 'spread' }, async (bench) => {
    const ids = await bench.observer.addTranscribers(TRANSCRIBERS);
    const streaming = ids.map((id, at) => ({
      ...PROVIDER_FIELDS,
      assistant_name: TRANSCRIBERS[at],
      transcriber_provider_id: id,
    }));
    const usual = streaming.map(() => PROVIDER_FIELDS);
    return everyCallee(options, bench, [...usual, ...streaming], AT_ONCE_WITH_PROVIDERS);
  });

/** @param kinds fields of the assistants; each call has one of them */
async function everyCallee(
  options: MultimodalOptions,
  { cluster, observer, tools }: Bench,
  kinds: readonly Record<string, unknown>[],
  atOnce = AT_ONCE,
): Promise<Placed[]> {
  const difficult = options.difficultLines ? CALLEES : [];
  const lines = await makeLinesDifficult(cluster.sandbox.url, difficult, options.random);
  const place = await customersFor(options.calls, CALLEES, async (at) => {
    const customer = await ConversationCustomer.create(cluster.publicUrl);
    const tool = TOOLS[at % TOOLS.length] ?? '';
    const tool_ids = [await customer.tool(tools.url(tool))];
    const assistants = new Map<string, { usual: number; talker: number }>();
    for (const kind of kinds) {
      const usual = { ...kind, tool_ids };
      const talker = { ...usual, ...TALKER.fields };
      if (!assistants.has(nameOf(kind)))
        assistants.set(nameOf(kind), {
          usual: await customer.assistant(usual),
          talker: await customer.assistant(talker),
        });
    }
    return (callee) => {
      const name = nameOf(kinds[Math.floor(options.random() * kinds.length)]);
      const line = lines.get(callee) ?? 'clean';
      const who = callee === TALKER.callee ? 'talker' : 'usual';
      return customer.call(
        assistants.get(name)?.[who] ?? 0,
        callee,
        `${callee}, ${name}, tool ${tool}, line ${line}`,
      );
    };
  });
  return placeInTurn(options.calls, atOnce, observer, place);
}

const nameOf = (kind: Record<string, unknown> = {}): string =>
  String(kind['llm_model'] ?? kind['assistant_name'] ?? 'speech providers');

/** Slots, holds and charges when all calls are over. */
async function leftovers({ cluster, observer }: Bench): Promise<string[]> {
  const queries = await AccountQueries.open(cluster.databases.postgresUrl);
  try {
    for (const deadline = Date.now() + CHARGED_MS; ; await sleep(POLL_MS)) {
      const found = [...(await observer.takenSlots()), ...(await queries.audit())];
      if (found.length === 0 || Date.now() > deadline) return found;
    }
  } finally {
    await queries.close();
  }
}
