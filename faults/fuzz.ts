/**
 * npm run faults -- fuzz [--seed N] [--requests N] [--broken]: requests that are almost right, and bytes that are hardly
 * HTTP. No 500, every error in the contract's shape, and the memory stays where it was.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { aWorld } from '../test/factories/world.js';
import { contractProblem } from '../test/support/contract.js';
import type { World } from '../test/support/route.types.js';
import { FuzzFindings } from './fuzz/fuzz-findings.js';
import { asCurl, fuzzRequest, type FuzzRequest } from './fuzz/fuzz-request.js';
import { megabytes, memoryProblems, refusalProblems, type MemorySample } from './fuzz/judge-fuzz.js';
import { asPrintf, rawRequest } from './fuzz/raw-requests.js';
import { sendOddFrames } from './fuzz/relay-frames.js';
import { oneOf } from './fuzz/odd-values.js';
import { endpoints, type Endpoint } from './support/api-surface.js';
import { conclude } from './support/conclude.js';
import { Installation } from './support/installation.js';
import { seeded, seedOf, type Random } from './support/random.js';
import { exchange } from './support/raw-http.js';
import { isBroken, numberOption, say } from './support/run-options.js';

const REQUESTS = 100_000;
/** Enough to meet the planted defect several times. */
const BROKEN_REQUESTS = 6_000;
/** Of the requests: on a socket of their own, as raw bytes. */
const RAW_SHARE = 0.08;
const CONCURRENCY = 12;
/** Requests before the accounts with all that was created in them are left behind. */
const REQUESTS_PER_WORLD = 1_000;
/** A raw request that waits for more bytes is given up after this time. */
const RAW_PATIENCE_MS = 500;
const ANSWER_TIMEOUT_MS = 60_000;
const SOCKETS_PER_STEP = 20;
/** Memory is compared after each; the first step warms up caches. */
const STEPS = 5;
/** Characters of the log of a service that died. */
const LAST_WORDS = 3_000;
/** Finished calls and their jobs let go of what they held. */
const REST_MS = 3_000;

/** Names for `--broken`. */
export const BROKEN = { throws: true };

export async function run(args: string[]): Promise<void> {
  const seed = seedOf(args);
  const broken = isBroken(args);
  const requests = numberOption(args, '--requests', broken ? BROKEN_REQUESTS : REQUESTS);
  const patches = broken ? (['collect-garbage', 'throwing-tools'] as const) : (['collect-garbage'] as const);
  const installation = await Installation.start({ patches });
  const findings = new FuzzFindings();
  try {
    const fuzzer = new Fuzzer(installation, await endpoints(), findings, seeded(seed));
    const samples: MemorySample[] = [];
    for (let step = 1; step <= STEPS; step++) {
      await fuzzer.send(requests / STEPS);
      if (!installation.alive) break;
      samples.push(await memoryOf(installation, (requests / STEPS) * step));
    }
    const ready = await fetch(`${installation.url}/health/ready`).then(
      ({ status }) => status === 200,
      () => false,
    );
    findings.print(installation.output());
    conclude(
      [
        ...findings.problems(),
        ...memoryProblems(samples),
        ...refusalProblems(findings.statuses),
        ...(ready ? [] : [`the service is ${installation.alive ? 'not ready' : 'dead'} at the end`]),
      ],
      { broken, planted: /POST \/api\/user\/tools: 500/ },
    );
  } finally {
    if (!installation.alive)
      say(`the last words of the service:\n${installation.output().slice(-LAST_WORDS)}`);
    await installation.stop();
  }
}

async function memoryOf(installation: Installation, requests: number): Promise<MemorySample> {
  await sleep(REST_MS);
  process.kill(installation.pid, 'SIGUSR2');
  await sleep(REST_MS);
  const text = await fetch(`${installation.url}/metrics`).then((response) => response.text());
  const heapBytes = Number(/^nodejs_heap_size_used_bytes (\S+)/m.exec(text)?.[1] ?? NaN);
  const status = readFileSync(`/proc/${installation.pid}/status`, 'utf8');
  const residentBytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? NaN) * 1024;
  say(`${requests} requests: heap ${megabytes(heapBytes)} MB, resident ${megabytes(residentBytes)} MB`);
  return { requests, heapBytes, residentBytes };
}

class Fuzzer {
  private readonly pool: Pool;
  private world: Promise<World> | null = null;
  private sent = 0;

  constructor(
    private readonly installation: Installation,
    private readonly routes: readonly Endpoint[],
    private readonly findings: FuzzFindings,
    private readonly random: Random,
  ) {
    this.pool = new Pool(installation.url, {
      connections: CONCURRENCY,
      headersTimeout: ANSWER_TIMEOUT_MS,
      bodyTimeout: ANSWER_TIMEOUT_MS,
    });
  }

  async send(requests: number): Promise<void> {
    let left = requests;
    const client = async (): Promise<void> => {
      while (left-- > 0) await (this.random() < RAW_SHARE ? this.raw() : this.request());
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, client));
    const frames = await sendOddFrames(
      this.installation,
      await this.currentWorld(),
      this.random,
      SOCKETS_PER_STEP,
    );
    if (frames === 0) this.findings.note('no socket of the carrier was admitted', () => 'telephony/relay');
  }

  private async request(): Promise<void> {
    const request = fuzzRequest(oneOf(this.random, this.routes), await this.currentWorld(), this.random);
    const reproduction = (): string => asCurl(this.installation.url, request);
    const answer = await this.ask(request).catch((error: unknown) => String(error));
    if (typeof answer === 'string') return this.lost(request, answer, reproduction);
    this.findings.add({ route: request.route, ...answer }, reproduction, answer.requestId);
    if (answer.status >= 300 || !answer.contentType.includes('json') || answer.body === '') return;
    const path = new URL(request.target, this.installation.url).pathname;
    const problem = await contractProblem(request.method, path, answer.status, JSON.parse(answer.body));
    if (problem)
      this.findings.note(`${request.route}: not as documented: ${problem.split('\n')[0]}`, reproduction);
  }

  private lost({ route }: FuzzRequest, error: string, reproduction: () => string): void {
    this.findings.note(`${route}: no answer: ${error}`, reproduction);
  }

  private async ask({ method, target, headers, body }: FuzzRequest) {
    const answer = await this.pool.request({
      method: method as 'GET',
      path: target,
      headers,
      body: body === '' ? null : body,
    });
    return {
      status: answer.statusCode,
      contentType: String(answer.headers['content-type'] ?? ''),
      retryAfter: (answer.headers['retry-after'] as string | undefined) ?? null,
      body: await answer.body.text(),
      requestId: (answer.headers['x-request-id'] as string | undefined) ?? null,
    };
  }

  private async raw(): Promise<void> {
    const { token } = (await this.currentWorld()).account;
    const request = rawRequest(token, this.random);
    const answer = await exchange(this.installation.port, request.bytes, { timeoutMs: RAW_PATIENCE_MS });
    // Some wait for the rest of their body, for ever.
    if (answer.status === 0) return;
    // What follows the head of such an answer belongs to the next request.
    const body = request.route.startsWith('raw HEAD') ? '' : answer.body;
    this.findings.add({ ...answer, body, route: request.route }, () =>
      asPrintf(request, token, this.installation.port),
    );
  }

  private currentWorld(): Promise<World> {
    if (this.sent++ % REQUESTS_PER_WORLD === 0 || this.world === null) this.world = aWorld();
    return this.world;
  }
}
