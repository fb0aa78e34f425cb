import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, In, Repository } from 'typeorm';
import type { RecordingStorage } from '#src/config/recordings.env.js';
import { BatchLoader } from '#src/common/persistence/batches.js';
import { LeasedRows, type Lease } from '#src/common/persistence/leased-rows.js';
import type { JobRow } from '#src/queue/job-queue.js';
import { Recording, type RecordingState } from './entities/recording.entities.js';

/** Short, so that another process soon continues the work of one that died; renewed during the work. */
const LEASE_SECONDS = 20;
const MAX_BATCH = 100;

/** A recording with something to do, claimed. */
export interface ClaimedRecording extends Lease {
  id: string;
  accountId: number;
  callId: number;
  carrierUrl: string;
  state: RecordingState;
  storage: RecordingStorage;
  objectKey: string | null;
}

export interface RecordingCopy {
  storage: RecordingStorage;
  objectKey: string;
  bytes: number;
  contentType: string;
}

/** Recordings: where they lie, and which of them are to be copied or deleted. */
@Injectable()
export class RecordingsRepository {
  private readonly rows: LeasedRows<ClaimedRecording>;
  private readonly newOnes = new BatchLoader<string, boolean>((ids) => this.keepAll(ids), MAX_BATCH);

  constructor(
    @InjectRepository(Recording) private readonly recordings: Repository<Recording>,
    private readonly db: DataSource,
  ) {
    this.rows = new LeasedRows(db, {
      table: 'recordings',
      due: 'due_at',
      waiting: `state <> 'kept'`,
      seconds: LEASE_SECONDS,
      counter: 'attempts',
      returning: `account_id AS "accountId", call_id AS "callId", carrier_url AS "carrierUrl", state, storage,
        object_key AS "objectKey"`,
    });
  }

  /** Null: there is none, or it is being deleted. */
  findPlayable(callId: number): Promise<Recording | null> {
    return this.recordings.findOneBy({ callId, state: In(['new', 'copied', 'kept']) });
  }

  findDue(limit: number): Promise<JobRow[]> {
    return this.rows.read(limit);
  }

  /** Null: not due, leased elsewhere, or done. */
  async claim(id: string): Promise<ClaimedRecording | null> {
    return (await this.rows.claim([id]))[0] ?? null;
  }

  /** Leaves a new recording where it is. False: it is not new, not due, or leased. */
  keepAtCarrier(id: string): Promise<boolean> {
    return this.newOnes.load(id);
  }

  renew(work: ClaimedRecording): Promise<void> {
    return this.rows.renew([work]);
  }

  retryLater(work: ClaimedRecording, seconds: number): Promise<void> {
    return this.rows.release(work, seconds);
  }

  /**
   * Ends the lease of a claimed recording and writes down its copy, if one was made. One that is to be deleted by now
   * stays so, with the place of its copy. @returns the state; null when another process has claimed it
   */
  async finish(
    { id, claim }: ClaimedRecording,
    state: 'copied' | 'kept',
    copy: RecordingCopy | null = null,
  ): Promise<RecordingState | null> {
    const [rows]: [{ state: RecordingState }[], number] = await this.db.query(
      `UPDATE recordings SET due_at = now(), state = CASE WHEN state = 'deleting' THEN state ELSE $3 END,
              storage = coalesce($4, storage), object_key = coalesce($5, object_key),
              bytes = coalesce($6, bytes), content_type = coalesce($7, content_type)
        WHERE id = $1 AND attempts = $2 RETURNING state`,
      [id, claim, state, copy?.storage, copy?.objectKey, copy?.bytes, copy?.contentType],
    );
    return rows[0]?.state ?? null;
  }

  /** It lies nowhere any more. */
  async remove({ id, claim }: ClaimedRecording): Promise<void> {
    await this.recordings.delete({ id, attempts: claim, state: 'deleting' });
  }

  private async keepAll(ids: string[]): Promise<boolean[]> {
    const [rows]: [{ id: string }[], number] = await this.db.query(
      `UPDATE recordings SET state = 'kept' WHERE id = ANY($1) AND state = 'new' AND due_at <= now() RETURNING id`,
      [ids],
    );
    const kept = new Set(rows.map(({ id }) => id));
    return ids.map((id) => kept.has(id));
  }
}
