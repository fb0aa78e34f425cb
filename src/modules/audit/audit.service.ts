import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ServiceUnavailable } from '#src/common/errors/api-error.js';
import { describeError } from '#src/common/errors/describe-error.js';
import { BatchLoader } from '#src/common/persistence/batches.js';
import { DatabaseOutageService } from '#src/common/persistence/database-outage.service.js';
import { workContext, type Actor } from '#src/common/work-context.js';
import { contentOf } from './audit-chain.js';
import type { AuditRecord } from './audit.types.js';

const MAX_BATCH = 100;
/** For decisions of the service. */
export const SYSTEM: Actor = { type: 'system', id: null, name: null, address: null, requestId: null };

/** Who does the running work; for work that another request of a batch may run. */
export const currentActor = (): Actor => workContext()?.actor ?? SYSTEM;

/** An entry without the time and the place that the database gives it. */
interface PendingEntry {
  accountId: number;
  content: string;
}

/** Appends to the audit log. */
@Injectable()
export class AuditService {
  private readonly logger = new Logger(AuditService.name);
  private readonly reads = new BatchLoader<PendingEntry, void>(async (entries) => {
    await append(this.db.manager, entries);
    return entries.map(() => undefined);
  }, MAX_BATCH);

  constructor(
    private readonly db: DataSource,
    private readonly outage: DatabaseOutageService,
  ) {}

  /**
   * In the transaction of the change, after its other locks: until it ends, other changes of the account wait for it.
   * @throws Error outside of a transaction
   */
  async record(tx: EntityManager, ...records: AuditRecord[]): Promise<void> {
    if (!tx.queryRunner?.isTransactionActive) throw new Error('An audit entry belongs into a transaction');
    if (records.length > 0) await append(tx, records.map(toEntry));
  }

  /** False on the way back to a version without the log, when its migration was undone. */
  async hasLog(): Promise<boolean> {
    const [row] = await this.db.query<{ found: boolean }[]>(
      `SELECT to_regclass('audit_entries') IS NOT NULL AS found`,
    );
    return row?.found ?? false;
  }

  /** A transaction whose entries are written at its end, after its other locks. */
  change<T>(work: (tx: EntityManager, record: (entry: AuditRecord) => void) => Promise<T>): Promise<T> {
    return this.db.transaction(async (tx) => {
      const records: AuditRecord[] = [];
      const result = await work(tx, (entry) => records.push(entry));
      await this.record(tx, ...records);
      return result;
    });
  }

  /**
   * Before the answer with what is read; reads at the same time share a statement.
   * @throws ServiceUnavailable when the entry cannot be written: nothing is read without one
   */
  async recordRead(record: AuditRecord): Promise<void> {
    try {
      await this.reads.load(toEntry(record));
    } catch (error) {
      if (!this.outage.reportOutage(error))
        this.logger.error('Nothing is read: its audit entry cannot be written', describeError(error));
      throw new ServiceUnavailable();
    }
  }
}

function toEntry({ accountId, action, resourceId = null, fields = [], ...rest }: AuditRecord): PendingEntry {
  const { details = {}, actor = currentActor() } = rest;
  const content = contentOf({
    actorType: actor.type,
    actorId: actor.id,
    actorName: actor.name,
    address: actor.address,
    requestId: actor.requestId,
    action,
    resourceId: resourceId === null ? null : String(resourceId),
    fields: [...fields],
    details,
  });
  return { accountId, content };
}

/** In the order of accounts: see `append_audit_entries`. */
async function append(manager: EntityManager, entries: readonly PendingEntry[]): Promise<void> {
  const sorted = [...entries].sort((one, other) => one.accountId - other.accountId);
  await manager.query('SELECT append_audit_entries($1, $2)', [
    sorted.map(({ accountId }) => accountId),
    sorted.map(({ content }) => content),
  ]);
}
