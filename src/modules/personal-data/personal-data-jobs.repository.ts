import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import { dialledForms, type Person, type PersonalDataCounts } from '#src/common/personal-data.js';
import { LeasedRows, type Lease } from '#src/common/persistence/leased-rows.js';
import type { JobRow } from '#src/queue/job-queue.js';
import { SealedColumnsService } from '#src/secrets/sealed-columns.service.js';
import { SecretsService } from '#src/secrets/secrets.service.js';
import { NumberHashesService } from '../suppressions/number-hashes.service.js';
import { PersonalDataJob } from './entities/personal-data-job.entity.js';

/** Short, so that another process soon continues the work of one that died; renewed during the work. */
const LEASE_SECONDS = 20;
const PLACE = { table: 'personal_data_jobs', column: 'phone_number' };

/** A job that this process works on. */
export interface ClaimedJob extends Lease {
  id: number;
  row: PersonalDataJob;
}

/** Another process works on the job: nothing of the transaction may stay. */
export class JobLost extends Error {}

/** Jobs with the encrypted number of the person, until it is forgotten. */
@Injectable()
export class PersonalDataJobsRepository implements OnModuleInit {
  private readonly leases: LeasedRows<Lease & { id: number }>;

  constructor(
    private readonly db: DataSource,
    @InjectRepository(PersonalDataJob) private readonly jobs: Repository<PersonalDataJob>,
    private readonly secrets: SecretsService,
    private readonly columns: SealedColumnsService,
    private readonly hashes: NumberHashesService,
  ) {
    this.leases = new LeasedRows(db, {
      table: 'personal_data_jobs',
      due: 'due_at',
      waiting: 'due_at IS NOT NULL',
      seconds: LEASE_SECONDS,
      counter: 'claims',
    });
  }

  onModuleInit(): void {
    this.columns.register(this.jobs, 'phoneNumber');
  }

  async insert(
    tx: EntityManager,
    job: Pick<PersonalDataJob, 'kind' | 'numberHash' | 'maskedNumber' | 'keepSuppressed'>,
    { accountId, phoneNumber }: Pick<Person, 'accountId' | 'phoneNumber'>,
  ): Promise<PersonalDataJob> {
    const sealer = await this.secrets.sealerOf(tx, accountId);
    const row = await tx.save(PersonalDataJob, { ...job, accountId });
    // Encrypted with its id, which the row has from here on.
    await tx.update(
      PersonalDataJob,
      { id: row.id },
      { phoneNumber: sealer.seal({ ...PLACE, row: row.id }, phoneNumber) },
    );
    return tx.findOneByOrFail(PersonalDataJob, { id: row.id });
  }

  /**
   * The person of a job that has the number.
   * @throws SecretUnreadable
   */
  async openPerson({ id, accountId, phoneNumber: sealed }: PersonalDataJob): Promise<Person> {
    const phoneNumber = await this.secrets.open({ ...PLACE, accountId, row: id }, sealed ?? '');
    const forms = dialledForms({ phoneNumber });
    const numberHashes = (await this.hashes.findHashes(this.db.manager, accountId, forms)) ?? [];
    return { accountId, phoneNumber, numberHashes };
  }

  findDue(limit: number): Promise<JobRow[]> {
    return this.leases.read(limit);
  }

  /** Null: not due, leased elsewhere, or over. */
  async claim(id: number): Promise<ClaimedJob | null> {
    const [lease] = await this.leases.claim([id]);
    if (!lease) return null;
    return { ...lease, row: await this.jobs.findOneByOrFail({ id }) };
  }

  renew(job: ClaimedJob): Promise<void> {
    return this.leases.renew([job]);
  }

  /** Due again in `seconds`. */
  release(job: ClaimedJob, seconds: number, columns: Record<string, unknown>): Promise<void> {
    return this.leases.release(job, seconds, columns);
  }

  /**
   * A transaction whose counts are added to those of the job: what it has erased is counted once.
   * @throws JobLost
   */
  addCounts(
    { id, claim }: ClaimedJob,
    work: (tx: EntityManager) => Promise<PersonalDataCounts>,
  ): Promise<PersonalDataCounts> {
    return this.db.transaction(async (tx) => {
      const added = await work(tx);
      const job = await tx.findOne(PersonalDataJob, {
        where: { id, claims: claim },
        lock: { mode: 'pessimistic_write' },
      });
      if (!job) throw new JobLost();
      await tx.update(PersonalDataJob, { id }, { counts: sumOf(job.counts, added) });
      return added;
    });
  }

  /** @throws JobLost */
  finish(tx: EntityManager, job: ClaimedJob, changes: Partial<PersonalDataJob>): Promise<void> {
    return this.change(tx, job, { waitsFor: null, waitsSince: null, finishedAt: new Date(), ...changes });
  }

  /** @throws JobLost */
  async change(
    tx: EntityManager,
    { id, claim }: ClaimedJob,
    changes: Partial<PersonalDataJob>,
  ): Promise<void> {
    const { affected } = await tx.update(PersonalDataJob, { id, claims: claim }, changes as never);
    if (affected !== 1) throw new JobLost();
  }

  /** Archives of the same person cannot be read any more. */
  async endExports(tx: EntityManager, accountId: number, numberHash: string): Promise<void> {
    const changes = { phoneNumber: null, numberHash: null, dueAt: null };
    await tx.update(PersonalDataJob, { accountId, numberHash, kind: 'export', status: 'done' }, changes);
  }
}

export function sumOf(one: PersonalDataCounts, other: PersonalDataCounts): PersonalDataCounts {
  const sum = { ...one };
  for (const [kind, n] of Object.entries(other) as [keyof PersonalDataCounts, number][])
    if (n > 0) sum[kind] = (sum[kind] ?? 0) + n;
  return sum;
}
