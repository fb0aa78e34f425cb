import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import { readAddress } from '#src/common/address-ranges.js';
import { describeError } from '#src/common/errors/describe-error.js';
import { DatabaseOutageService } from '#src/common/persistence/database-outage.service.js';
import { withConnectionQuota } from '#src/common/persistence/shared-pool.js';
import { PeriodicTask } from '#src/common/time/periodic-task.js';

const FLUSH_MS = 1_000;
/** Tokens in memory and in one statement. The use of one more is noted by its next request. */
export const MAX_UNSAVED_USES = 10_000;

/**
 * Stores when and from where tokens were last used, for all tokens in one statement a second, so that no request waits
 * for it. A token's row is written at most once a minute, whatever the number of processes: the look-up of a token
 * checks whether it is due, and the statement checks it again.
 */
@Injectable()
export class TokenUsageService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(TokenUsageService.name);
  /** The address of the client by the id of the token. */
  private readonly used = new Map<number, string | null>();
  private readonly task = new PeriodicTask(
    FLUSH_MS,
    () => this.flush(),
    (error) => this.warn(error),
  );

  constructor(
    private readonly db: DataSource,
    private readonly outage: DatabaseOutageService,
  ) {}

  onApplicationBootstrap(): void {
    withConnectionQuota('jobs', () => this.task.start());
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.task.stop();
    await this.flush().catch((error: unknown) => this.warn(error));
  }

  /** @param address IP address of the client; another text is not stored */
  recordUse(tokenId: number, address: string): void {
    if (this.used.size < MAX_UNSAVED_USES || this.used.has(tokenId))
      this.used.set(tokenId, readAddress(address));
  }

  /** Failed writes are repeated by the next pass. Rows that another process has locked are skipped. */
  private async flush(): Promise<void> {
    const uses = [...this.used];
    if (uses.length === 0) return;
    await this.db.query(
      `UPDATE access_tokens AS token SET last_used_at = now(), last_used_address = used.address
         FROM unnest($1::int[], $2::text[]) AS used (id, address)
        WHERE token.id = used.id AND token.id IN (
         SELECT id FROM access_tokens
          WHERE id = ANY($1) AND coalesce(last_used_at < now() - interval '1 minute', true)
          FOR NO KEY UPDATE SKIP LOCKED)`,
      [uses.map(([id]) => id), uses.map(([, address]) => address)],
    );
    for (const [id] of uses) this.used.delete(id);
  }

  private warn(error: unknown): void {
    if (!this.outage.reportOutage(error))
      this.logger.warn('The last use of tokens was not stored; trying again', describeError(error));
  }
}
