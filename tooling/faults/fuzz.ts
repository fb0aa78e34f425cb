/**
 * npm run faults -- fuzz [--seed N] [--only PART] [--requests N] [--frames N] [--streams N] [--cells N] [--calls N]
 * [--broken VARIANT]: sends almost valid requests and malformed HTTP, odd frames on the sockets of calls and from the
 * realtime model, changed streams of model servers, cells of spreadsheets and reports of calls in odd orders. There
 * must be no 500, every error must match the OpenAPI document, every line continues or ends as specified, a stream is
 * read as it was sent, a number is imported as intended or refused, a call ends once and at its reported end, and
 * memory, timers and sockets must not grow. The parts are the keys of PARTS.
 */
import { gunzipSync } from 'node:zlib';
import { Pool } from 'undici';
import { anAccountWithResources } from '../../test/factories/account-resources.js';
import { contractProblem } from '../../test/support/contract.js';
import type { AccountResources } from '../../test/support/route.types.js';
import { FuzzFindings } from './fuzz/fuzz-findings.js';
import { asCurl, fuzzRequest, type FuzzRequest } from './fuzz/fuzz-request.js';
import { fuzzLines } from './fuzz/fuzz-lines.js';
import { fuzzReports, REPORT_VARIANTS } from './fuzz/fuzz-reports.js';
import { fuzzStreams } from './fuzz/fuzz-streams.js';
import { fuzzSheets } from './fuzz/fuzz-sheets.js';
import { memoryOf, unlessDead } from './fuzz/measure-process.js';
import { memoryProblems, refusalProblems, type MemorySample } from './fuzz/verify-fuzz.js';
import { asPrintf, rawRequest } from './fuzz/raw-requests.js';
import { sendOddFrames } from './fuzz/relay-frames.js';
import { oneOf } from './fuzz/odd-values.js';
import { endpoints, type Endpoint } from './support/api-surface.js';
import { conclude } from './support/conclude.js';
import { Installation } from './support/installation.js';
import { seeded, seedOf, type Random } from './support/random.js';
import { exchange } from './support/raw-http.js';
import { numberOption, say, textOption } from './support/run-options.js';

const REQUESTS = 100_000;
/** Enough to hit the planted defect several times. */
const BROKEN_REQUESTS = 6_000;
/** Share of requests that are sent as raw bytes on their own socket. */
const RAW_SHARE = 0.08;
const CONCURRENCY = 12;
/** Requests before new accounts replace the current ones and their resources. */
const REQUESTS_PER_ACCOUNT = 1_000;
/** Time limit of a raw request, which may lack the end of its body. */
const RAW_TIMEOUT_MS = 500;
const ANSWER_TIMEOUT_MS = 60_000;
const SOCKETS_PER_STEP = 20;
/** Memory is measured after each step; the first one fills caches. */
const STEPS = 5;
/** Printed characters of the log when the service ends. */
const LOG_TAIL = 3_000;
/** Variants of `--broken`, and the part that detects each. */
export const BROKEN: Record<string, string> = {
  throws: 'requests',
  dies: 'lines',
  naive: 'streams',
  joins: 'sheets',
  ...Object.fromEntries(REPORT_VARIANTS.map((variant) => [variant, 'reports'])),
};

const PARTS: Record<string, (args: string[], seed: number, broken: string | null) => Promise<void>> = {
  requests: fuzzRequests,
  lines: fuzzLines,
  streams: fuzzStreams,
  sheets: fuzzSheets,
  reports: fuzzReports,
};

export async function run(args: string[]): Promise<void> {
  const seed = seedOf(args);
  const variant = textOption(args, '--broken');
  const part = variant === null ? null : BROKEN[variant];
  if (part === undefined) throw new Error(`--broken needs one of: ${Object.keys(BROKEN).join(', ')}`);
  const only = textOption(args, '--only') ?? part;
  if (only !== null && !PARTS[only]) throw new Error(`--only needs one of: ${Object.keys(PARTS).join(', ')}`);
  for (const [name, fuzz] of Object.entries(PARTS)) {
    if (only === null || only === name) await fuzz(args, seed, variant);
  }
}

async function fuzzRequests(args: string[], seed: number, variant: string | null): Promise<void> {
  const broken = variant !== null;
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
      const used = await unlessDead(installation, memoryOf(installation, (requests / STEPS) * step));
      if (!used) break;
      samples.push(used);
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
    if (!installation.alive) say(`the last words of the service:\n${installation.output().slice(-LOG_TAIL)}`);
    await installation.stop();
  }
}

class Fuzzer {
  private readonly pool: Pool;
  private resources: Promise<AccountResources> | null = null;
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
      await this.currentResources(),
      this.random,
      SOCKETS_PER_STEP,
    );
    if (frames === 0) this.findings.note('no socket of the carrier was admitted', () => 'telephony/relay');
  }

  private async request(): Promise<void> {
    const request = fuzzRequest(oneOf(this.random, this.routes), await this.currentResources(), this.random);
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
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    const isCompressed = answer.headers['content-encoding'] === 'gzip';
    return {
      status: answer.statusCode,
      contentType: String(answer.headers['content-type'] ?? ''),
      retryAfter: (answer.headers['retry-after'] as string | undefined) ?? null,
      body: (isCompressed ? gunzipSync(bytes) : bytes).toString(),
      requestId: (answer.headers['x-request-id'] as string | undefined) ?? null,
    };
  }

  private async raw(): Promise<void> {
    const { token } = (await this.currentResources()).account;
    const request = rawRequest(token, this.random);
    const answer = await exchange(this.installation.port, request.bytes, { timeoutMs: RAW_TIMEOUT_MS });
    // Some requests never send the rest of their body.
    if (answer.status === 0) return;
    // Such a response has no body; the following bytes belong to the next response.
    const body = request.route.startsWith('raw HEAD') ? '' : answer.body;
    this.findings.add({ ...answer, body, route: request.route }, () =>
      asPrintf(request, token, this.installation.port),
    );
  }

  private currentResources(): Promise<AccountResources> {
    if (this.sent++ % REQUESTS_PER_ACCOUNT === 0 || this.resources === null)
      this.resources = anAccountWithResources();
    return this.resources;
  }
}
