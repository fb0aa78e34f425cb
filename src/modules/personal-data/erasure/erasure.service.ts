import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit/audit.service.js';
import { ErasedNumbersService } from '../../suppressions/erased-numbers.service.js';
import type { PersonalDataJob } from '../entities/personal-data-job.entity.js';
import { PersonalDataJobsRepository, type ClaimedJob } from '../personal-data-jobs.repository.js';
import type { StepResult } from './erasure-step.js';
import { ErasureStepsService } from './erasure-steps.service.js';

/** Works on erasures, batch by batch. */
@Injectable()
export class ErasureService {
  constructor(
    private readonly steps: ErasureStepsService,
    private readonly jobs: PersonalDataJobsRepository,
    private readonly suppressions: ErasedNumbersService,
    private readonly audit: AuditService,
  ) {}

  async work(job: ClaimedJob): Promise<StepResult> {
    const person = { ...(await this.jobs.openPerson(job.row)), requestedAt: job.row.createdAt };
    const result = await this.steps.eraseBatch(person, (work) => this.jobs.addCounts(job, work));
    if (result === 'none') await this.end(job, { status: 'done', error: null });
    return result;
  }

  /**
   * The number is forgotten, by its archives only when it is erased; the suppression stays if that was asked for, also
   * after a failure.
   */
  async end(job: ClaimedJob, outcome: Pick<PersonalDataJob, 'status' | 'error'>): Promise<void> {
    const { row } = job;
    await this.audit.change(async (tx, record) => {
      const { accountId } = row;
      const numberHash = row.numberHash ?? '';
      await this.suppressions.settle(tx, accountId, numberHash, row.keepSuppressed);
      if (outcome.status === 'done') await this.jobs.endExports(tx, accountId, numberHash);
      const forgotten = { phoneNumber: null, numberHash: null, dueAt: null };
      await this.jobs.finish(tx, job, { ...outcome, ...forgotten });
      const details = { status: outcome.status };
      record({ accountId, action: 'erasure.finish', resourceId: row.id, details });
    });
  }
}
