import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { anAccount, type TestAccount } from '../../../test/factories/account.js';
import { anAssistant } from '../../../test/factories/assistant.js';
import { aCampaign } from '../../../test/factories/campaign.js';
import type { Installation } from '../support/installation.js';
import { say } from '../support/run-options.js';
import { AccountReader } from './account-reader.js';
import { UPLOAD_FILES, type UploadFile } from './upload-files.js';
import type { SenderMessage, UploadOrder } from './upload-sender.js';
import { uploadProblems, type UploadCost } from './verify-uploads.js';

const MEGABYTE = 1024 * 1024;
const SAMPLE_MS = 10;
const PAUSE_MS = 5;
const ANSWER_TIMEOUT_MS = 120_000;
const SETTLE_MS = 500;
const WARM_UP_MEGABYTES = 5;
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

/**
 * Uploads each file of one tenant to a service that has just started, while another tenant requests its account.
 * @returns the problems
 */
export async function measureUploads(
  installation: Installation,
  { megabytes, named }: UploadOptions,
): Promise<string[]> {
  const [noisy, other] = await Promise.all([anAccount({ plan: 'unlimited' }), anAccount()]);
  const campaign = await aCampaign(noisy, { assistant_id: await anAssistant(noisy) });
  const bench = new UploadBench(installation, noisy, other, campaign);
  const files = UPLOAD_FILES.filter(({ name }) => named === null || name.includes(named));
  const costs: UploadCost[] = [];
  try {
    for (const file of files) {
      const size = Math.min(megabytes, file.maxMegabytes ?? megabytes) * MEGABYTE - 1_024;
      // Earlier files have grown the heap, which shrinks with a delay.
      if (costs.length > 0) await installation.restart();
      const cost = await bench.measure(file, size, await bench.warmUp());
      tell(cost);
      costs.push(cost);
      if (!installation.alive) break;
    }
    return uploadProblems(costs, files.length);
  } finally {
    await bench.close();
  }
}

const tell = ({ name, status, aboveIdleMegabytes, longestWaitMs, tookMs }: UploadCost): void =>
  say(
    `${name}: ${status}, ${aboveIdleMegabytes.toFixed(0)} MB above idle, the other tenant waited ` +
      `${longestWaitMs.toFixed(0)} ms, ${(tookMs / 1000).toFixed(1)} s`,
  );

class UploadBench {
  private readonly reader: AccountReader;

  constructor(
    private readonly installation: Installation,
    private readonly noisy: TestAccount,
    other: TestAccount,
    private readonly campaignId: number,
  ) {
    this.reader = new AccountReader(installation, other, ANSWER_TIMEOUT_MS);
  }

  async close(): Promise<void> {
    await this.reader.close();
  }

  /** Buffers and code of a normal upload are part of the idle service's memory. */
  async warmUp(): Promise<Idle> {
    const plain = UPLOAD_FILES.find(({ name }) => name === 'long lines');
    if (plain) await this.upload(plain, WARM_UP_MEGABYTES * MEGABYTE, () => undefined);
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

  /** @param onReady is called when the file is generated, before it is sent. @returns the status; 0: no response */
  private async upload({ name }: UploadFile, bytes: number, onReady: () => void): Promise<number> {
    const sender = fork(new URL('./upload-sender.js', import.meta.url), { execArgv: [] });
    const ended = new AbortController();
    sender.once('exit', () => ended.abort());
    try {
      const { url } = this.installation;
      sender.send({
        url,
        token: this.noisy.token,
        name,
        campaignId: this.campaignId,
        bytes,
      } satisfies UploadOrder);
      await once(sender, 'message', ended);
      onReady();
      sender.send('start');
      const [message] = (await once(sender, 'message', ended)) as [SenderMessage];
      return 'status' in message ? message.status : 0;
    } finally {
      sender.kill('SIGKILL');
    }
  }

  async measure(file: UploadFile, size: number, idle: Idle): Promise<UploadCost> {
    let begin = 0;
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
    let watching: Promise<unknown> = Promise.resolve();
    const status = await this.upload(file, size, () => {
      begin = performance.now();
      watching = Promise.all([sampling(), asking()]);
    });
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
