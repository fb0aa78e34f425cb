import { fork } from 'node:child_process';
import { once } from 'node:events';
import { anAccount, type TestAccount } from '../../../test/factories/account.js';
import { anAssistant } from '../../../test/factories/assistant.js';
import { aWidgetAssistant, ORIGIN } from '../../../test/factories/conversation.js';
import { database } from '../../../test/support/database.js';
import { until } from '../../../test/support/until.js';
import { HangingTools } from '../conversations/hanging-tools.js';
import { conclude } from '../support/conclude.js';
import { Installation } from '../support/installation.js';
import { isBroken, numberOption, say } from '../support/run-options.js';
import { CountingModel } from './counting-model.js';
import { Observer } from './observer.js';
import { quantile } from './verify-neighbour.js';
import { visitorProblems, type VisitorPart } from './verify-visitors.js';
import type { VisitorOptions } from './visitor-load.js';

const SECONDS = 60;
const BROKEN_SECONDS = 15;
const WARM_UP_SECONDS = 5;
const QUIET_SECONDS = 15;
/** A broken line can be reopened for 15 s, plus time for a busy machine. */
const WRAP_UP_MS = 180_000;
/** Calls that the account starts: with those of visitors, a quarter of ten, fewer than the plan's. */
const OWN_CALLS = 7;

type Load = Pick<VisitorOptions, 'kind' | 'talks'>;
const LOADS: Record<string, Load> = {
  'text line': { kind: 'text', talks: 'without end' },
  'text line, in turns': { kind: 'text', talks: 'in turns' },
  'audio line': { kind: 'audio', talks: 'without end' },
  'text conversation': { kind: 'chat', talks: 'in turns' },
};
/** Of the sandbox's catalogue. Their assistant gives a browser an audio line. */
const SPEECH = { synthesizer_provider_id: 1, transcriber_provider_id: 2 };

/** A visitor without a token, sequentially on each kind of line. */
export async function runVisitors(args: string[]): Promise<void> {
  const broken = isBroken(args);
  const seconds = numberOption(args, '--seconds', broken ? BROKEN_SECONDS : SECONDS);
  const model = await CountingModel.open();
  const installation = await Installation.start({
    patches: broken ? ['unlimited-visitors'] : [],
    env: { LLM_BASE_URL: model.baseUrl },
  });
  model.passTo(installation.sandboxUrl);
  const observer = new Observer(installation, await anAccount());
  const tools = new HangingTools();
  try {
    await tools.start();
    await observer.watch(WARM_UP_SECONDS, 0);
    const problems: string[] = [];
    const quiet = async () => (await observer.watch(QUIET_SECONDS, 0)).latenciesMs;
    let before = await quiet();
    for (const [name, load] of Object.entries(LOADS).slice(0, broken ? 1 : undefined)) {
      const seen = await visit(load, { installation, observer, model, tools, seconds });
      const after = await quiet();
      // The machine may be busier in one of them.
      const part = { name, quietMs: [...before, ...after], ...seen };
      before = after;
      print(part);
      problems.push(...visitorProblems(part));
    }
    conclude(problems, { broken, planted: /requests of the model/ });
  } finally {
    await observer.close();
    await tools.close();
    await installation.stop();
    await model.close();
  }
}

interface Bench {
  installation: Installation;
  observer: Observer;
  model: CountingModel;
  tools: HangingTools;
  seconds: number;
}

async function visit(
  load: Load,
  { installation, observer, model, tools, seconds }: Bench,
): Promise<Omit<VisitorPart, 'name' | 'quietMs'>> {
  const owner = await anAccount({ balance: 1_000 });
  const tool_ids = [await aTool(owner, tools.url('fine'))];
  const { uuid } = await aWidgetAssistant(owner, { tool_ids, ...(load.kind === 'audio' ? SPEECH : {}) });
  const before = model.requests;
  const child = fork(new URL('./visitor-load.js', import.meta.url), { execArgv: [] });
  const exited = once(child, 'exit');
  const kill = (): boolean => child.kill('SIGKILL');
  process.once('exit', kill);
  child.send({ url: installation.url, uuid, origin: ORIGIN, ...load } satisfies VisitorOptions);
  const ownCalls: number[] = [];
  const assistant_id = await anAssistant(owner);
  const [{ latenciesMs }] = await Promise.all([
    observer.watch(seconds, 0),
    (async () => {
      for (let count = 0; count < OWN_CALLS; count += 1)
        ownCalls.push((await owner.client.post('/user/web-calls', { assistant_id })).status);
    })(),
  ]);
  const requests = model.requests - before;
  const reported = once(child, 'message');
  child.send('stop');
  const [sent] = (await reported) as [number];
  await exited;
  process.removeListener('exit', kill);
  return {
    sent,
    requests,
    loadedMs: latenciesMs,
    ownCalls,
    transcriptBytes: await longestTranscript(owner.id),
  };
}

async function aTool({ client }: TestAccount, endpoint: string): Promise<number> {
  const { status, text, body } = await client.post<{ data: { id: number } }>('/user/tools', {
    name: 'check_order',
    description: 'Looks up the status of an order.',
    endpoint,
    method: 'POST',
    schema: [{ name: 'order_number', type: 'string', description: 'The number of the order' }],
  });
  if (status !== 201) throw new Error(`the tool was not created: ${status} ${text}`);
  return body.data.id;
}

/** When the wrap-up of the disconnected visitor's calls is complete. */
async function longestTranscript(accountId: number): Promise<number> {
  await until(async () => {
    const { rows } = await database().query(
      `SELECT FROM calls WHERE account_id = $1 AND answered_at IS NOT NULL AND status <> 'completed'`,
      [accountId],
    );
    return rows.length === 0;
  }, WRAP_UP_MS);
  const { rows } = await database().query<{ bytes: number }>(
    'SELECT coalesce(max(octet_length(transcript)), 0)::int AS bytes FROM calls WHERE account_id = $1',
    [accountId],
  );
  return rows[0]?.bytes ?? 0;
}

function print({ name, sent, requests, quietMs, loadedMs, transcriptBytes, ownCalls }: VisitorPart): void {
  const p95 = (values: readonly number[]): string => quantile(values, 0.95).toFixed(1);
  say(
    `${name}: ${sent} sent, ${requests} requests of the model, another tenant p95 ${p95(quietMs)} ms quiet and ` +
      `${p95(loadedMs)} ms loaded, longest transcript ${transcriptBytes} bytes, own calls ${ownCalls.join(' ')}`,
  );
}
