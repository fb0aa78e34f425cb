import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestAccount } from '../../../test/factories/account.js';
import { anAssistant } from '../../../test/factories/assistant.js';
import { aCampaign } from '../../../test/factories/campaign.js';
import { aLead, aNumber } from '../../../test/factories/lead.js';
import { waitedForCpuMs } from '../support/cpu-meter.js';
import type { Installation } from '../support/installation.js';
import { AccountReader } from './account-reader.js';
import type { Experience } from './verify-neighbour.js';

const PAUSE_MS = 20;
const TIMEOUT_MS = 10_000;
const DIAL_TIMEOUT_MS = 20_000;
/** Time limit including the creation of the campaign and its lead. */
const ROUND_MS = 30_000;
const POLL_MS = 25;
/** Attempts to create a resource, because the API may refuse requests under load. */
const TRIES = 20;

/** A tenant with few requests, whose latencies are measured. */
export class Observer {
  private readonly reader: AccountReader;

  constructor(
    private readonly installation: Installation,
    private readonly account: TestAccount,
  ) {
    this.reader = new AccountReader(installation, account, TIMEOUT_MS);
  }

  /** Requests the account repeatedly for `seconds`; meanwhile starts `dials` campaigns of one lead each. */
  async watch(seconds: number, dials: number): Promise<Experience> {
    const latenciesMs: number[] = [];
    let failed = 0;
    let watching = true;
    const asking = async (): Promise<void> => {
      while (watching) {
        const { ms, ok } = await this.reader.read();
        if (!ok) failed++;
        latenciesMs.push(ms);
        await sleep(PAUSE_MS);
      }
    };
    const [, dialsMs] = await Promise.all([
      asking(),
      Promise.all([this.dial(dials), sleep(seconds * 1_000)])
        .then(([times]) => times)
        .finally(() => (watching = false)),
    ]);
    return { latenciesMs, failed, dialsMs };
  }

  async close(): Promise<void> {
    await this.reader.close();
  }

  private async dial(count: number): Promise<(number | null)[]> {
    const times: (number | null)[] = [];
    for (let index = 0; index < count; index++) {
      const dialled = this.dialOnce().catch(() => null);
      times.push(await Promise.race([dialled, sleep(ROUND_MS, null)]));
    }
    return times;
  }

  private async dialOnce(): Promise<number | null> {
    const number = aNumber();
    const assistant_id = await retry(() => anAssistant(this.account));
    const campaign_id = await retry(() => aCampaign(this.account, { assistant_id }));
    await retry(() =>
      aLead(this.account, campaign_id, { phone_number: number, variables: { timezone: 'UTC' } }),
    );
    const [begin, before] = [Date.now(), waitedForCpuMs(this.installation.pid)];
    const started = this.account.client.post('/user/campaigns/update-status', {
      campaign_id,
      action: 'start',
    });
    const dialled = await this.dialOf(number, begin + DIAL_TIMEOUT_MS);
    const waited = waitedForCpuMs(this.installation.pid) - before;
    await started;
    // Without the time for which the service waited for a processor in use by other processes.
    return dialled === null ? null : Math.max(0, dialled - begin - waited);
  }

  /** Time of the dial in the sandbox's journal, in ms. */
  private async dialOf(number: string, deadline: number): Promise<number | null> {
    const journal = join(this.installation.dataDir, 'sandbox-journal.jsonl');
    for (; Date.now() < deadline; await sleep(POLL_MS)) {
      const line = readFileSync(journal, 'utf8')
        .split('\n')
        .find((entry) => entry.includes('"kind":"dial"') && entry.includes(number));
      if (line !== undefined) return Date.parse((JSON.parse(line) as { at: string }).at);
    }
    return null;
  }
}

async function retry<T>(attempt: () => Promise<T>): Promise<T> {
  for (let left = TRIES; ; left--) {
    try {
      return await attempt();
    } catch (error) {
      if (left === 1) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
