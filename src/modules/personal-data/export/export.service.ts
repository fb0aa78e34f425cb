import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Person, PersonalDataCounts } from '#src/common/personal-data.js';
import type { StepResult } from '../erasure/erasure-step.js';
import type { PersonalDataJob } from '../entities/personal-data-job.entity.js';
import { PersonalDataJobsRepository, type ClaimedJob } from '../personal-data-jobs.repository.js';
import { ExportSourcesService } from './export-sources.service.js';

/** How long the archive of an export can be read. */
const KEPT_HOURS = 24;
const FORGOTTEN = { phoneNumber: null, numberHash: null, dueAt: null };

/**
 * Works on exports: counts what the archive will have. The archive itself is made while it is read, so that no file has
 * the data of a person; its end is the time at which the job forgets the number.
 */
@Injectable()
export class ExportService {
  constructor(
    private readonly db: DataSource,
    private readonly sources: ExportSourcesService,
    private readonly jobs: PersonalDataJobsRepository,
  ) {}

  async work(job: ClaimedJob): Promise<StepResult> {
    if (job.row.status === 'done') {
      await this.db.transaction((tx) => this.jobs.change(tx, job, FORGOTTEN));
      return 'none';
    }
    const counts = await this.count(await this.jobs.openPerson(job.row));
    const expiresAt = new Date(Date.now() + KEPT_HOURS * 3_600_000);
    const outcome = { status: 'done', counts, expiresAt, dueAt: expiresAt } as const;
    await this.db.transaction((tx) => this.jobs.finish(tx, job, outcome));
    return 'none';
  }

  async end(job: ClaimedJob, outcome: Pick<PersonalDataJob, 'status' | 'error'>): Promise<void> {
    await this.db.transaction((tx) => this.jobs.finish(tx, job, { ...outcome, ...FORGOTTEN }));
  }

  private async count(person: Person): Promise<PersonalDataCounts> {
    const counts: PersonalDataCounts = {};
    const add = (kind: keyof PersonalDataCounts, n: number): void => {
      if (n > 0) counts[kind] = (counts[kind] ?? 0) + n;
    };
    for (const { kind, rows } of this.sources.files(person))
      for await (const row of rows) {
        add(kind, 1);
        const { turns, tool_runs, messages, has_recording } = row as Record<string, unknown>;
        if (Array.isArray(turns)) add('turns', turns.length);
        if (Array.isArray(tool_runs)) add('tool_runs', tool_runs.length);
        if (Array.isArray(messages)) add('conversation_messages', messages.length);
        if (has_recording === true) add('recordings', 1);
      }
    return counts;
  }
}
