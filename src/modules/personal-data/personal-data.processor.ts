import { Logger } from '@nestjs/common';
import { describeError } from '#src/common/errors/describe-error.js';
import {
  JobProcessor,
  JobQueue,
  type JobResult,
  type JobRow,
  type RowProcessor,
} from '#src/queue/job-queue.js';
import { ErasureService } from './erasure/erasure.service.js';
import { ExportService } from './export/export.service.js';
import { JobLost, PersonalDataJobsRepository, type ClaimedJob } from './personal-data-jobs.repository.js';

const RENEW_MS = 5_000;
/** Of a job, after which others are worked on. */
const TURN_MS = 1_000;
const WAIT_SECONDS = 1;
const FIRST_PAUSE_SECONDS = 2;
const LONGEST_PAUSE_SECONDS = 600;
/** About two hours. */
const MAX_FAILURES = 20;
const MAX_WAIT_MS = 24 * 3_600_000;

/** Erases or exports the data of a person in batches; after a crash the next process goes on with what is left. */
@JobProcessor('personal-data')
export class PersonalDataProcessor implements RowProcessor {
  private readonly logger = new Logger(PersonalDataProcessor.name);

  constructor(
    private readonly jobs: PersonalDataJobsRepository,
    private readonly erasures: ErasureService,
    private readonly exports: ExportService,
    private readonly queue: JobQueue,
  ) {}

  findDueRows(limit: number): Promise<JobRow[]> {
    return this.jobs.findDue(limit);
  }

  async process(rowId: string): Promise<JobResult> {
    const job = await this.jobs.claim(Number(rowId));
    if (!job) return 'done';
    const renewing = setInterval(() => void this.jobs.renew(job).catch(() => undefined), RENEW_MS);
    try {
      return await this.work(job);
    } catch (error) {
      if (error instanceof JobLost) return 'done';
      this.logger.warn(`An ${job.row.kind} failed; trying again`, describeError(error));
      return await this.retryLater(job);
    } finally {
      clearInterval(renewing);
    }
  }

  private async work(job: ClaimedJob): Promise<JobResult> {
    const end = performance.now() + TURN_MS;
    const columns = { status: 'running', failures: 0, waits_for: null };
    const worker = this.workerOf(job);
    let result = await worker.work(job);
    while (result === 'more' && performance.now() < end) result = await worker.work(job);
    if (result === 'none') return 'done';
    if (result === 'more') {
      await this.jobs.release(job, 0, columns);
      return 'again';
    }
    const { waitsFor } = result;
    if (Date.now() - job.row.createdAt.getTime() > MAX_WAIT_MS) {
      await worker.end(job, { status: 'failed', error: `These did not end within a day: ${waitsFor}.` });
      return 'done';
    }
    await this.jobs.release(job, WAIT_SECONDS, { ...columns, waits_for: waitsFor });
    this.queue.enqueue('personal-data', job.row, WAIT_SECONDS * 1000);
    return 'done';
  }

  private async retryLater(job: ClaimedJob): Promise<JobResult> {
    const failures = job.row.failures + 1;
    if (failures >= MAX_FAILURES) {
      const worker = this.workerOf(job);
      await worker.end(job, {
        status: 'failed',
        error: 'It failed repeatedly; the log of the service says why.',
      });
    } else {
      const pause = Math.min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2 ** (failures - 1));
      await this.jobs.release(job, pause, { status: 'running', failures });
    }
    return 'done';
  }

  private workerOf({ row }: ClaimedJob): ErasureService | ExportService {
    return row.kind === 'erasure' ? this.erasures : this.exports;
  }
}
