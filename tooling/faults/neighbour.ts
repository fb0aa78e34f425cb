/**
 * npm run faults -- neighbour [--only tenants|uploads|visitors] [--seconds N] [--megabytes N] [--file NAME] [--broken
 * one-queue|unbounded-lines|unlimited]: measures the latency of one tenant while another one sends expensive requests
 * at the maximum rate, while it uploads files that are expensive to read, and while a visitor sends the maximum that
 * a widget accepts.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { anAccount } from '../../test/factories/account.js';
import { neighbourProblems, quantile, type Experience } from './neighbour/verify-neighbour.js';
import { aNoisyTenant, type NoisyTenant } from './neighbour/noisy-tenant.js';
import type { LoadOptions } from './neighbour/load-generator.js';
import { Observer } from './neighbour/observer.js';
import { conclude } from './support/conclude.js';
import { Installation } from './support/installation.js';
import { measureUploads } from './neighbour/uploads.js';
import { runVisitors } from './neighbour/visitors.js';
import { isBroken, numberOption, say, textOption } from './support/run-options.js';

const SECONDS = 60;
const WARM_UP_SECONDS = 5;
const QUIET_SECONDS = 15;
const DIALS = { quiet: 3, loaded: 5 };
/** Time until all loops of the noisy tenant have started. */
const RAMP_UP_MS = 5_000;

/** The largest upload. */
const MEGABYTES = 100;

/** Variants of `--broken`, and the part that detects each. */
export const BROKEN: Record<string, string> = {
  'one-queue': 'tenants',
  'unbounded-lines': 'uploads',
  unlimited: 'visitors',
};

const PARTS: Record<string, (args: string[]) => Promise<void>> = {
  tenants: runTenants,
  uploads: runUploads,
  visitors: runVisitors,
};

export async function run(args: string[]): Promise<void> {
  const part = isBroken(args) ? BROKEN[textOption(args, '--broken') ?? ''] : textOption(args, '--only');
  if (part === undefined) throw new Error(`--broken needs one of: ${Object.keys(BROKEN).join(', ')}`);
  if (part !== null && !PARTS[part]) throw new Error(`--only needs one of: ${Object.keys(PARTS).join(', ')}`);
  for (const [name, work] of Object.entries(PARTS)) if (part === null || part === name) await work(args);
}

async function runUploads(args: string[]): Promise<void> {
  const broken = isBroken(args);
  const installation = await Installation.start({ patches: broken ? ['unbounded-lines'] : [] });
  try {
    const named = broken ? 'one line of commas' : textOption(args, '--file');
    const problems = await measureUploads(installation, {
      megabytes: numberOption(args, '--megabytes', MEGABYTES),
      named,
    });
    conclude(problems, { broken, planted: /commas.*: (?:\d+ MB above idle|the other tenant waited)/ });
  } finally {
    await installation.stop();
  }
}

async function runTenants(args: string[]): Promise<void> {
  const broken = isBroken(args);
  const seconds = numberOption(args, '--seconds', broken ? 20 : SECONDS);
  const installation = await Installation.start({ patches: broken ? ['one-queue'] : [] });
  const stops: (() => Promise<unknown>)[] = [];
  try {
    const observer = new Observer(installation, await anAccount({ plan: 'unlimited', balance: 1_000 }));
    stops.push(() => observer.close());
    const tenant = await aNoisyTenant();
    await observer.watch(WARM_UP_SECONDS, 1);
    const quiet = await observer.watch(QUIET_SECONDS, DIALS.quiet);
    printExperience('quiet', quiet);
    const load = await startLoad(installation, tenant);
    stops.push(load.stop);
    await sleep(RAMP_UP_MS);
    const loaded = await observer.watch(seconds, broken ? 1 : DIALS.loaded);
    printExperience('loaded', loaded);
    const answers = await load.answers();
    say(`answers to the noisy tenant: ${JSON.stringify(answers)}`);
    const answered = Object.entries(answers).filter(([kind]) => !kind.endsWith(' 0'));
    const sum = answered.reduce((total, [, count]) => total + count, 0);
    // With the planted defect the noisy tenant gets few responses, too.
    conclude(neighbourProblems(quiet, loaded, sum), { broken, planted: /^GET \/user\/me: p99/ });
  } finally {
    for (const stop of stops.reverse()) await stop();
    await installation.stop();
  }
}

async function startLoad({ url }: Installation, { account, ...rest }: NoisyTenant) {
  const child = fork(new URL('./neighbour/load-generator.js', import.meta.url), { execArgv: [] });
  const exited = once(child, 'exit');
  process.once('exit', () => child.kill('SIGKILL'));
  child.send({ url, tenant: { ...rest, token: account.token } } satisfies LoadOptions);
  return {
    /** Stops the load. @returns count by kind of request and status */
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

function printExperience(name: string, { latenciesMs, failed, dialsMs }: Experience): void {
  const [p50, p99] = [quantile(latenciesMs, 0.5), quantile(latenciesMs, 0.99)];
  const dials = dialsMs.map((ms) => (ms === null ? 'never' : `${ms.toFixed(0)} ms`)).join(', ');
  say(
    `${name}: GET /user/me p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms of ${latenciesMs.length} requests, ` +
      `${failed} failed; leads dialled after ${dials}; load average ${loadavg()[0]?.toFixed(1)}`,
  );
}
