import { Logger } from '@nestjs/common';
import { describeError } from '#src/common/errors/describe-error.js';
import { SecretUnreadable } from '#src/secrets/cipher.js';
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
      return await this.recover(job, error);
    } finally {
      clearInterval(renewing);
    }
  }

  private async work(job: ClaimedJob): Promise<JobResult> {
    const end = performance.now() + TURN_MS;
    const columns = { status: 'running', failures: 0, waits_for: null, waits_since: null };
    const worker = this.workerOf(job);
    let result = await worker.work(job);
    let { waitsFor: awaited, waitsSince } = job.row;
    while (result === 'more' && performance.now() < end) {
      // It erased something: a wait begins anew.
      awaited = null;
      result = await worker.work(job);
    }
    if (result === 'none') return 'done';
    if (result === 'more') {
      await this.jobs.release(job, 0, columns);
      return 'again';
    }
    const { waitsFor } = result;
    if (awaited !== waitsFor || waitsSince === null) waitsSince = new Date();
    if (Date.now() - waitsSince.getTime() > MAX_WAIT_MS)
      return this.fail(job, `These did not end within a day: ${waitsFor}.`);
    await this.jobs.release(job, WAIT_SECONDS, { ...columns, waits_for: waitsFor, waits_since: waitsSince });
    this.queue.enqueue('personal-data', job.row, WAIT_SECONDS * 1000);
    return 'done';
  }

  private async recover(job: ClaimedJob, error: unknown): Promise<JobResult> {
    const { kind, failures: before } = job.row;
    if (error instanceof SecretUnreadable) {
      this.logger.error(`An ${kind} failed: its number cannot be decrypted`, describeError(error));
      return this.fail(job, 'The phone number of the job could not be decrypted.');
    }
    this.logger.warn(`An ${kind} failed; trying again`, describeError(error));
    const failures = before + 1;
    if (failures >= MAX_FAILURES)
      return this.fail(job, 'It failed repeatedly; the log of the service says why.');
    const pause = Math.min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2 ** (failures - 1));
    await this.jobs.release(job, pause, { status: 'running', failures });
    return 'done';
  }

  private async fail(job: ClaimedJob, error: string): Promise<JobResult> {
    await this.workerOf(job).end(job, { status: 'failed', error });
    return 'done';
  }

  private workerOf({ row }: ClaimedJob): ErasureService | ExportService {
    return row.kind === 'erasure' ? this.erasures : this.exports;
  }
}
