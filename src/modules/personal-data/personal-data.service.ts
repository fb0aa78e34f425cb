import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { Invalid } from '#src/common/errors/api-error.js';
import { lockAccount } from '#src/common/persistence/locks.js';
import { maskNumber } from '#src/common/phone/mask-number.js';
import { NUMBER_RULES } from '#src/common/phone/written-number.js';
import { fieldMessage } from '#src/common/validation/field-rules.js';
import { pageOffset, Page, type PageRequest } from '#src/http/pagination/page.js';
import { JobQueue } from '#src/queue/job-queue.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { AuditService } from '../audit/audit.service.js';
import { ErasedNumbersService } from '../suppressions/erased-numbers.service.js';
import { NumberHashesService } from '../suppressions/number-hashes.service.js';
import { PersonalDataJob, type PersonalDataJobKind } from './entities/personal-data-job.entity.js';
import { PersonalDataJobsRepository } from './personal-data-jobs.repository.js';

export interface WantedJob {
  kind: PersonalDataJobKind;
  phone_number: string;
  keepSuppressed: boolean;
}

/** Erasures and exports of an account. */
@Injectable()
export class PersonalDataService {
  constructor(
    @InjectRepository(PersonalDataJob) private readonly rows: Repository<PersonalDataJob>,
    private readonly jobs: PersonalDataJobsRepository,
    private readonly accounts: AccountsService,
    private readonly hashes: NumberHashesService,
    private readonly erased: ErasedNumbersService,
    private readonly audit: AuditService,
    private readonly queue: JobQueue,
  ) {}

  async listJobs(
    userId: number,
    kind: PersonalDataJobKind,
    query: PageRequest,
  ): Promise<Page<PersonalDataJob>> {
    const [found, total] = await this.rows.findAndCount({
      where: { accountId: userId, kind },
      order: { createdAt: 'DESC', id: 'DESC' },
      skip: pageOffset(query),
      take: query.per_page,
    });
    return new Page(found, total, query);
  }

  findJob(userId: number, kind: PersonalDataJobKind, id: number): Promise<PersonalDataJob | null> {
    return this.rows.findOneBy({ id, accountId: userId, kind });
  }

  /**
   * The job of the number that waits or runs, else a new one. From the commit of an erasure on nobody calls the number:
   * who adds a call holds the account's lock, as this does. Nor do imports that are running store it.
   * @throws Invalid
   */
  async createJob(
    userId: number,
    { kind, phone_number, keepSuppressed }: WantedJob,
  ): Promise<PersonalDataJob> {
    const read = await this.accounts.createNumberParser(userId)(phone_number);
    if ('fault' in read)
      throw new Invalid({ phone_number: [fieldMessage('phone_number', NUMBER_RULES[read.fault])] });
    const person = { accountId: userId, phoneNumber: read.number };
    const isErasure = kind === 'erasure';
    const job = await this.audit.change(async (tx, record) => {
      if (isErasure) await this.erased.holdImports(tx, userId);
      await lockAccount(tx, userId);
      const numberHash = await this.hashes.hashNumber(tx, userId, read.number);
      if (isErasure) await this.erased.keepFromImports(tx, userId, numberHash);
      const status = In(['waiting', 'running'] as const);
      const known = await tx.findOneBy(PersonalDataJob, { accountId: userId, kind, numberHash, status });
      if (known) return known;
      const made = await this.jobs.insert(
        tx,
        { kind, numberHash, maskedNumber: maskNumber(read.number), keepSuppressed },
        person,
      );
      if (isErasure) await this.erased.suppressWhileErasing(tx, userId, numberHash);
      record({ accountId: userId, action: `${kind}.create`, resourceId: made.id });
      return made;
    });
    this.queue.enqueue('personal-data', job);
    return job;
  }
}
