import { Injectable } from '@nestjs/common';
import { In, type EntityManager } from 'typeorm';
import { JobQueue } from '#src/queue/job-queue.js';
import { Recording } from './entities/recording.entities.js';

/** Deletes recordings wherever they lie: the processor of recordings does it, also while one is being copied. */
@Injectable()
export class RecordingsPersonalDataService {
  constructor(private readonly queue: JobQueue) {}

  /** @returns how many lie somewhere */
  async requestDeletion(tx: EntityManager, callIds: readonly number[]): Promise<number> {
    await tx.query(
      `UPDATE recordings SET state = 'deleting', due_at = greatest(due_at, now())
        WHERE call_id = ANY($1) AND state <> 'deleting'`,
      [callIds],
    );
    const left = await tx.find(Recording, {
      select: { id: true, accountId: true },
      where: { callId: In([...callIds]) },
    });
    for (const recording of left) this.queue.enqueue('recording', recording);
    return left.length;
  }
}
