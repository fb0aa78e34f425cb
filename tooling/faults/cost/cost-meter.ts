import { setTimeout as sleep } from 'node:timers/promises';
import { LoopProbe } from '../../bench/rest/loop-probe.js';
import { median } from '../../bench/support/stats.js';
import { anAccountWithResources } from '../../../test/factories/account-resources.js';
import type { AccountResources } from '../../../test/support/route.types.js';
import type { Endpoint } from '../support/api-surface.js';
import { CpuMeter } from '../support/cpu-meter.js';
import type { Installation } from '../support/installation.js';
import { exchange, type RawResponse } from '../support/raw-http.js';
import { buildRequest } from './build-request.js';
import { severity, type Cost } from './verify-cost.js';
import { describeRecipe, type Recipe } from './recipe.js';

/** Time limit of a request. */
const TIMEOUT_MS = 30_000;
/** A request without a response that costs more than this has blocked the event loop. */
const FROZEN_CPU_MS = 1_500;
const WATCH_MS = 100;
/** A new account is used after this number of requests, because the requests change the resources. */
const REQUESTS_PER_ACCOUNT = 300;
/** Time for work of the service after the response. */
const AFTER_ANSWER_MS = 2;

/** Sends requests one by one and measures the CPU time of each in the service. */
export class CostMeter {
  private readonly byName: Map<string, Endpoint>;
  private meter: CpuMeter;
  private resources: AccountResources | null = null;
  private sent = 0;

  constructor(
    private readonly installation: Installation,
    routes: readonly Endpoint[],
  ) {
    this.byName = new Map(routes.map((route) => [route.name, route]));
    this.meter = new CpuMeter(installation.pid);
  }

  /** A cost near its limit is measured again, to exclude other work of the process. */
  async measure(recipe: Recipe): Promise<Cost> {
    let cost = await this.once(recipe);
    for (let repeats = 3; repeats > 0 && cost.answered && severity(cost) > 0.5; repeats--) {
      const again = await this.once(recipe);
      if (!again.answered) return again;
      cost = { ...again, cpuMs: Math.min(again.cpuMs, cost.cpuMs) };
    }
    return cost;
  }

  /** Median CPU time of equal requests: jobs of the process run during a few of them. */
  async median(recipe: Recipe, times: number): Promise<number> {
    const costs: number[] = [];
    for (let count = 0; count < times; count++) costs.push((await this.once(recipe)).cpuMs);
    return median(costs);
  }

  /** Block of the event loop during the request, in milliseconds; infinite for a frozen service. */
  async loopDelay(recipe: Recipe): Promise<number> {
    const probe = await LoopProbe.start(this.installation);
    const { answered } = await this.once(recipe);
    // A frozen service was restarted, which closed the probe's connection.
    return answered ? (await probe.stop()).answer : Infinity;
  }

  private async once(recipe: Recipe): Promise<Cost> {
    const endpoint = this.byName.get(recipe.route);
    if (!endpoint) throw new Error(`there is no route ${recipe.route}`);
    const request = buildRequest(recipe, endpoint, await this.currentResources());
    const before = this.meter.read();
    const answer = await this.exchangeUnlessFrozen(request, before);
    await sleep(AFTER_ANSWER_MS);
    const cpuMs = this.meter.read() - before;
    if (answer.timedOut || !this.installation.alive) await this.startAgain();
    return {
      name: `${request.length} bytes ${describeRecipe(recipe)}`,
      route: recipe.route,
      withToken: recipe.token === 'valid',
      requestBytes: request.length,
      answerBytes: answer.bytes,
      cpuMs,
      answered: !answer.timedOut,
    };
  }

  private async exchangeUnlessFrozen(request: Buffer, before: number): Promise<RawResponse> {
    const frozen = new AbortController();
    const watch = setInterval(() => {
      if (this.installation.alive && this.meter.read() - before > FROZEN_CPU_MS) frozen.abort();
    }, WATCH_MS);
    try {
      const limits = { timeoutMs: TIMEOUT_MS, keep: 1_024, signal: frozen.signal };
      return await exchange(this.installation.port, request, limits);
    } finally {
      clearInterval(watch);
    }
  }

  private async startAgain(): Promise<void> {
    await this.installation.restart();
    this.meter = new CpuMeter(this.installation.pid);
  }

  private async currentResources(): Promise<AccountResources> {
    if (this.sent++ % REQUESTS_PER_ACCOUNT === 0 || this.resources === null)
      this.resources = await anAccountWithResources();
    return this.resources;
  }
}
