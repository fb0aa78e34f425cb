import { Pool } from 'undici';
import type { TestAccount } from '../../../test/factories/account.js';
import { waitedForCpuMs } from '../support/cpu-meter.js';
import type { Installation } from '../support/installation.js';

/** A tenant that requests its account on one connection, sequentially. */
export class AccountReader {
  private readonly pool: Pool;

  constructor(
    private readonly installation: Installation,
    private readonly account: TestAccount,
    private readonly timeoutMs: number,
  ) {
    this.pool = new Pool(installation.url, { connections: 1 });
  }

  /** `ms`: without the time for which the service or this process waited for a processor in use by other processes. */
  async read(): Promise<{ ms: number; ok: boolean }> {
    const headers = { authorization: `Bearer ${this.account.token}` };
    const signal = AbortSignal.timeout(this.timeoutMs);
    const pids = [this.installation.pid, process.pid];
    const [begin, before] = [performance.now(), pids.map(waitedForCpuMs)];
    const ok = await this.pool.request({ method: 'GET', path: '/api/user/me', headers, signal }).then(
      async ({ statusCode, body }) => {
        await body.dump();
        return statusCode === 200;
      },
      () => false,
    );
    const took = performance.now() - begin;
    // Both may wait at the same time.
    const waited = Math.max(...pids.map((pid, index) => waitedForCpuMs(pid) - (before[index] ?? 0)));
    return { ms: Math.max(0, took - waited), ok };
  }

  async close(): Promise<void> {
    await this.pool.destroy();
  }
}
