import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { anAccount, type TestAccount } from '../../../test/factories/account.js';
import { anAssistant } from '../../../test/factories/assistant.js';
import { aCampaign } from '../../../test/factories/campaign.js';
import type { Installation } from '../support/installation.js';
import { say } from '../support/run-options.js';
import { AccountReader } from './account-reader.js';
import { formOf, UPLOAD_FILES, type UploadFile } from './upload-files.js';
import { uploadProblems, type UploadCost } from './verify-uploads.js';

const MEGABYTE = 1024 * 1024;
const SAMPLE_MS = 10;
const PAUSE_MS = 5;
const ANSWER_TIMEOUT_MS = 120_000;
const SETTLE_MS = 500;
const WARM_UP_MEGABYTES = 5;
const TRIES = 2;
const QUIET_MS = 5_000;

/** The service without an upload. */
interface Idle {
  bytes: number;
  /** The other tenant's longest wait. */
  waitMs: number;
}

interface UploadOptions {
  megabytes: number;
  /** Only files whose name contains it; null: all. */
  named: string | null;
}

/** Uploads each file of one tenant while another one requests its account. @returns the problems */
export async function measureUploads(
  installation: Installation,
  { megabytes, named }: UploadOptions,
): Promise<string[]> {
  const [noisy, other] = await Promise.all([anAccount({ plan: 'unlimited' }), anAccount()]);
  const campaign = await aCampaign(noisy, { assistant_id: await anAssistant(noisy) });
  const bench = new UploadBench(installation, noisy, other, campaign);
  const files = UPLOAD_FILES.filter(({ name }) => named === null || name.includes(named));
  try {
    let idle = await bench.warmUp();
    const costs: UploadCost[] = [];
    for (const file of files) {
      const size = Math.min(megabytes, file.maxMegabytes ?? megabytes) * MEGABYTE - 1_024;
      let least: UploadCost | null = null;
      for (let tries = 0; tries < TRIES && (tries === 0 || isTooMuch(least)); tries += 1) {
        // Earlier files have grown the heap, which shrinks with a delay.
        if (tries > 0) idle = await installation.restart().then(() => bench.warmUp());
        const cost = await bench.measure(file, size, idle);
        tell(cost);
        least = lesser(least, cost);
        if (!installation.alive) break;
      }
      if (least) costs.push(least);
      if (!installation.alive) break;
    }
    return uploadProblems(costs, files.length);
  } finally {
    await bench.close();
  }
}

const isTooMuch = (cost: UploadCost | null): boolean => cost !== null && uploadProblems([cost], 1).length > 0;

/** A result of only one of several uploads is caused by the machine. */
function lesser(one: UploadCost | null, other: UploadCost): UploadCost {
  if (!one) return other;
  const aboveIdleMegabytes = Math.min(one.aboveIdleMegabytes, other.aboveIdleMegabytes);
  return { ...other, aboveIdleMegabytes, longestWaitMs: Math.min(one.longestWaitMs, other.longestWaitMs) };
}

const tell = ({ name, status, aboveIdleMegabytes, longestWaitMs, tookMs }: UploadCost): void =>
  say(
    `${name}: ${status}, ${aboveIdleMegabytes.toFixed(0)} MB above idle, the other tenant waited ` +
      `${longestWaitMs.toFixed(0)} ms, ${(tookMs / 1000).toFixed(1)} s`,
  );

class UploadBench {
  private readonly uploads: Pool;
  private readonly reader: AccountReader;

  constructor(
    private readonly installation: Installation,
    private readonly noisy: TestAccount,
    other: TestAccount,
    private readonly campaignId: number,
  ) {
    const timeouts = { headersTimeout: ANSWER_TIMEOUT_MS, bodyTimeout: ANSWER_TIMEOUT_MS };
    this.uploads = new Pool(installation.url, { connections: 1, ...timeouts });
    this.reader = new AccountReader(installation, other, ANSWER_TIMEOUT_MS);
  }

  async close(): Promise<void> {
    await Promise.all([this.uploads.destroy(), this.reader.close()]);
  }

  /** Buffers and code of a normal upload are part of the idle service's memory. */
  async warmUp(): Promise<Idle> {
    const plain = UPLOAD_FILES.find(({ name }) => name === 'long lines');
    if (plain) await this.upload(plain, formOf(plain, this.campaignId, WARM_UP_MEGABYTES * MEGABYTE));
    await sleep(SETTLE_MS);
    const bytes = this.residentBytes();
    let waitMs = 0;
    for (const until = performance.now() + QUIET_MS; performance.now() < until; await sleep(PAUSE_MS))
      waitMs = Math.max(waitMs, await this.wait());
    say(
      `idle: ${(bytes / MEGABYTE).toFixed(0)} MB resident, the other tenant waited ${waitMs.toFixed(0)} ms`,
    );
    return { bytes, waitMs };
  }

  residentBytes(): number {
    const status = readFileSync(`/proc/${this.installation.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? NaN) * 1024;
  }

  /** The status; 0: the connection was closed without a response, as for a form that the service stops reading. */
  async upload(file: UploadFile, pieces: readonly Buffer[]): Promise<number> {
    const answer = this.uploads.request({
      method: 'POST',
      path: `/api${file.path}`,
      headers: {
        authorization: `Bearer ${this.noisy.token}`,
        'content-type': file.contentType,
      },
      body: Readable.from(pieces),
    });
    return answer.then(
      async ({ statusCode, body }) => {
        await body.dump();
        return statusCode;
      },
      () => 0,
    );
  }

  async measure(file: UploadFile, size: number, idle: Idle): Promise<UploadCost> {
    // Generated before it is sent: this process also measures the other tenant's latencies.
    const form = formOf(file, this.campaignId, size);
    const begin = performance.now();
    let peak = 0;
    let longestWaitMs = 0;
    let going = true;
    const sampling = async (): Promise<void> => {
      for (; going && this.installation.alive; await sleep(SAMPLE_MS))
        peak = Math.max(peak, this.residentBytes());
    };
    const asking = async (): Promise<void> => {
      for (; going && this.installation.alive; await sleep(PAUSE_MS))
        longestWaitMs = Math.max(longestWaitMs, await this.wait());
    };
    const watching = Promise.all([sampling(), asking()]);
    const status = await this.upload(file, form);
    going = false;
    await watching;
    return {
      name: file.name,
      status,
      aboveIdleMegabytes: (peak - idle.bytes) / MEGABYTE,
      longestWaitMs: Math.max(0, longestWaitMs - idle.waitMs),
      tookMs: performance.now() - begin,
    };
  }

  private async wait(): Promise<number> {
    const { ms, ok } = await this.reader.read();
    return ok ? ms : Infinity;
  }
}
