import { setTimeout as sleep } from 'node:timers/promises';
import { LoopProbe } from '../../bench/rest/loop-probe.js';
import { aWorld } from '../../test/factories/world.js';
import type { World } from '../../test/support/route.types.js';
import type { Endpoint } from '../support/api-surface.js';
import { CpuMeter } from '../support/cpu-meter.js';
import type { Installation } from '../support/installation.js';
import { exchange, type RawAnswer } from '../support/raw-http.js';
import { buildRequest } from './build-request.js';
import { severity, type Cost } from './judge-cost.js';
import { describeRecipe, type Recipe } from './recipe.js';

/** A request that takes longer is not answered at all, also on a busy machine. */
const PATIENCE_MS = 30_000;
/** A request that costs more than this without an answer has frozen the service. */
const FROZEN_CPU_MS = 1_500;
const WATCH_MS = 100;
/** Requests before the account with all that was created in it is left behind. */
const REQUESTS_PER_WORLD = 300;
/** The service finishes what an answer does not wait for. */
const AFTERMATH_MS = 2;

/** Sends requests one by one and measures what each costs the service. */
export class CostBench {
  private readonly byName: Map<string, Endpoint>;
  private meter: CpuMeter;
  private world: World | null = null;
  private sent = 0;

  constructor(
    private readonly installation: Installation,
    routes: readonly Endpoint[],
  ) {
    this.byName = new Map(routes.map((route) => [route.name, route]));
    this.meter = new CpuMeter(installation.pid);
  }

  /** What it costs; a cost near its limit is measured again, so that other work of the process does not count. */
  async measure(recipe: Recipe): Promise<Cost> {
    let cost = await this.once(recipe);
    for (let repeats = 3; repeats > 0 && cost.answered && severity(cost) > 0.5; repeats--) {
      const again = await this.once(recipe);
      if (!again.answered) return again;
      cost = { ...again, cpuMs: Math.min(again.cpuMs, cost.cpuMs) };
    }
    return cost;
  }

  /** Mean processor time of one of many equal requests. */
  async mean(recipe: Recipe, times: number): Promise<number> {
    let sum = 0;
    for (let count = 0; count < times; count++) sum += (await this.once(recipe)).cpuMs;
    return sum / times;
  }

  /** How long the event loop was blocked while the request was served, in milliseconds. */
  async loopDelay(recipe: Recipe): Promise<number> {
    const probe = await LoopProbe.start(this.installation.url);
    await this.once(recipe);
    return probe.stop();
  }

  private async once(recipe: Recipe): Promise<Cost> {
    const endpoint = this.byName.get(recipe.route);
    if (!endpoint) throw new Error(`there is no route ${recipe.route}`);
    const request = buildRequest(recipe, endpoint, await this.currentWorld());
    const before = this.meter.read();
    const answer = await this.exchangeUnlessFrozen(request, before);
    await sleep(AFTERMATH_MS);
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

  private async exchangeUnlessFrozen(request: Buffer, before: number): Promise<RawAnswer> {
    const frozen = new AbortController();
    const watch = setInterval(() => {
      if (this.installation.alive && this.meter.read() - before > FROZEN_CPU_MS) frozen.abort();
    }, WATCH_MS);
    try {
      const limits = { timeoutMs: PATIENCE_MS, keep: 1_024, signal: frozen.signal };
      return await exchange(this.installation.port, request, limits);
    } finally {
      clearInterval(watch);
    }
  }

  private async startAgain(): Promise<void> {
    await this.installation.restart();
    this.meter = new CpuMeter(this.installation.pid);
  }

  private async currentWorld(): Promise<World> {
    if (this.sent++ % REQUESTS_PER_WORLD === 0 || this.world === null) this.world = await aWorld();
    return this.world;
  }
}
