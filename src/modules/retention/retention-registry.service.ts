import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { RetentionKind, RetentionScope } from './retention-plan.js';

/**
 * Removes what is old in at most `RETENTION_BATCH` rows, in the given transaction. It leaves out what is not final, and
 * rows that others have locked.
 * @returns the number of rows; 0: nothing is left
 */
export type RetentionWork = (tx: EntityManager, scope: RetentionScope) => Promise<number>;

/** What modules do to remove old contents of their tables; each registers its kinds once. */
@Injectable()
export class RetentionRegistryService {
  private readonly work = new Map<RetentionKind, RetentionWork>();

  register(kind: RetentionKind, work: RetentionWork): void {
    this.work.set(kind, work);
  }

  /** Undefined: no module has registered it. */
  find(kind: RetentionKind): RetentionWork | undefined {
    return this.work.get(kind);
  }
}
