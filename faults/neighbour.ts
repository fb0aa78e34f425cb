/**
 * npm run faults -- neighbour [--seconds N] [--broken]: one tenant does its worst; what another one notices.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { anAccount } from '../test/factories/account.js';
import { neighbourProblems, quantile, type Experience } from './neighbour/judge-neighbour.js';
import { aLoudTenant, type LoudTenant } from './neighbour/loud-data.js';
import type { LoudOrder } from './neighbour/loud-process.js';
import { Observer } from './neighbour/observer.js';
import { conclude } from './support/conclude.js';
import { Installation } from './support/installation.js';
import { isBroken, numberOption, say } from './support/run-options.js';

const SECONDS = 60;
const WARM_UP_SECONDS = 5;
const QUIET_SECONDS = 15;
const DIALS = { quiet: 3, loud: 5 };
/** Until the loud tenant's requests are all under way. */
const ROUSING_MS = 5_000;

/** Names for `--broken`. */
export const BROKEN = { 'one-queue': true };

export async function run(args: string[]): Promise<void> {
  const broken = isBroken(args);
  const seconds = numberOption(args, '--seconds', broken ? 20 : SECONDS);
  const installation = await Installation.start({ patches: broken ? ['one-queue'] : [] });
  const stops: (() => Promise<unknown>)[] = [];
  try {
    const observer = new Observer(installation, await anAccount({ plan: 'unlimited', balance: 1_000 }));
    stops.push(() => observer.close());
    const tenant = await aLoudTenant();
    await observer.watch(WARM_UP_SECONDS, 1);
    const quiet = await observer.watch(QUIET_SECONDS, DIALS.quiet);
    tell('quiet', quiet);
    const load = await startLoad(installation, tenant);
    stops.push(load.stop);
    await sleep(ROUSING_MS);
    const loud = await observer.watch(seconds, broken ? 1 : DIALS.loud);
    tell('loud', loud);
    const answers = await load.answers();
    say(`answers to the loud tenant: ${JSON.stringify(answers)}`);
    const answered = Object.entries(answers).filter(([kind]) => !kind.endsWith(' 0'));
    const sum = answered.reduce((total, [, count]) => total + count, 0);
    // The planted queue also keeps the loud tenant from being answered.
    conclude(neighbourProblems(quiet, loud, sum), { broken, planted: /^GET \/user\/me: p99/ });
  } finally {
    for (const stop of stops.reverse()) await stop();
    await installation.stop();
  }
}

async function startLoad({ url }: Installation, { account, ...rest }: LoudTenant) {
  const child = fork(new URL('./neighbour/loud-process.js', import.meta.url), { execArgv: [] });
  const exited = once(child, 'exit');
  process.once('exit', () => child.kill('SIGKILL'));
  child.send({ url, tenant: { ...rest, token: account.token } } satisfies LoudOrder);
  return {
    /** How often each kind of request was answered with each status. Ends the load. */
    answers: async (): Promise<Record<string, number>> => {
      const reported = once(child, 'message');
      child.send('stop');
      const [counts] = (await reported) as [Record<string, number>];
      return counts;
    },
    stop: async (): Promise<void> => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

function tell(name: string, { latenciesMs, failed, dialsMs }: Experience): void {
  const [p50, p99] = [quantile(latenciesMs, 0.5), quantile(latenciesMs, 0.99)];
  const dials = dialsMs.map((ms) => (ms === null ? 'never' : `${ms.toFixed(0)} ms`)).join(', ');
  say(
    `${name}: GET /user/me p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms of ${latenciesMs.length} requests, ` +
      `${failed} failed; leads dialled after ${dials}; load average ${loadavg()[0]?.toFixed(1)}`,
  );
}
