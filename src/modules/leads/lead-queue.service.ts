import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, MoreThan, Raw, Repository, type EntityManager, type FindOneOptions } from 'typeorm';
import { Lead } from './entities/lead.entity.js';
import { OPEN_STATUSES, QUEUED_STATUSES, type LeadStatus } from './lead.types.js';
import {
  toContactForDialling,
  toLeadView,
  type LeadForDialling,
  type LeadToJudge,
  type LeadView,
  type NumberToJudge,
} from './lead-view.js';

/** A campaign's leads as its dialler sees them: a queue. Ids may be those of main leads and of contacts. */
@Injectable()
export class LeadQueueService {
  constructor(@InjectRepository(Lead) private readonly leads: Repository<Lead>) {}

  /** The next main lead that is due and that nobody else has locked; locked until the transaction ends. */
  async claimNext(tx: EntityManager, campaignId: number): Promise<LeadForDialling | null> {
    return this.locked(tx, {
      where: {
        campaignId,
        mainLeadId: IsNull(),
        status: In(QUEUED_STATUSES),
        dueAt: Raw((due) => `${due} <= now()`),
      },
      order: { dueAt: 'ASC', id: 'ASC' },
      lock: { mode: 'pessimistic_write', onLocked: 'skip_locked' },
    });
  }

  /** Null: deleted meanwhile. */
  async lockLead(tx: EntityManager, id: number): Promise<LeadForDialling | null> {
    return this.locked(tx, { where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  async markProcessing(tx: EntityManager, id: number): Promise<void> {
    await tx.update(Lead, id, { status: 'processing' });
  }

  /** A call to this number is placed. */
  async countAttempt(tx: EntityManager, id: number): Promise<void> {
    await tx.increment(Lead, { id }, 'attempts', 1);
  }

  /** No call was placed: the lead gets its status back, and its place, as `due_at` did not change. */
  async undoClaim(
    tx: EntityManager,
    { id, status }: { id: number; status: LeadStatus },
    dialledId: number,
  ): Promise<void> {
    await tx.update(Lead, id, { status });
    await tx.decrement(Lead, { id: dialledId, attempts: MoreThan(0) }, 'attempts', 1);
  }

  /** The next leads that are due and that nobody else has locked, locked; without what only a call needs. */
  async claimToJudge(tx: EntityManager, campaignId: number, limit: number): Promise<LeadToJudge[]> {
    const leads: Omit<LeadToJudge, 'contacts'>[] = await tx.query(
      `SELECT id, phone_number AS "phoneNumber", attempts, variables->'timezone' AS timezone FROM leads
        WHERE campaign_id = $1 AND main_lead_id IS NULL AND status = ANY($2) AND due_at <= now()
        ORDER BY due_at, id LIMIT $3 FOR UPDATE SKIP LOCKED`,
      [campaignId, QUEUED_STATUSES, limit],
    );
    const contacts: (NumberToJudge & { mainLeadId: number })[] = await tx.query(
      `SELECT id, main_lead_id AS "mainLeadId", phone_number AS "phoneNumber", attempts FROM leads
        WHERE main_lead_id = ANY($1)`,
      [leads.map(({ id }) => id)],
    );
    const judged = new Map(leads.map((lead) => [lead.id, { ...lead, contacts: [] as NumberToJudge[] }]));
    for (const { mainLeadId, ...contact } of contacts) judged.get(mainLeadId)?.contacts.push(contact);
    return [...judged.values()];
  }

  /** Not now: each lead keeps its status and comes up again in its milliseconds from now. */
  async postpone(tx: EntityManager, waits: ReadonlyMap<number, number>): Promise<void> {
    if (waits.size === 0) return;
    await tx.query(
      `UPDATE leads SET due_at = now() + make_interval(secs => wait.ms / 1000.0)
         FROM unnest($1::int[], $2::float[]) AS wait (id, ms) WHERE leads.id = wait.id`,
      [[...waits.keys()], [...waits.values()]],
    );
  }

  /** What became of a call. `inMs` goes with a status that waits for the next one: from now, by the database's clock. */
  async settleLead(
    tx: EntityManager,
    id: number,
    { status, inMs }: { status: LeadStatus; inMs?: number | undefined },
  ): Promise<void> {
    await tx.query(
      `UPDATE leads SET status = $2, updated_at = now(),
              due_at = COALESCE(now() + make_interval(secs => $3 / 1000.0), due_at) WHERE id = $1`,
      [id, status, inMs ?? null],
    );
  }

  /** Whether a lead still waits for a call or is in one. */
  async anyOpen(tx: EntityManager, campaignId: number): Promise<boolean> {
    return (await this.first(tx, campaignId, OPEN_STATUSES)) !== null;
  }

  async view(id: number): Promise<LeadView | null> {
    const lead = await this.leads.findOneBy({ id });
    return lead && toLeadView(lead);
  }

  /** In the order of an index: to look for just any row would be to read the table. */
  private first(
    tx: EntityManager,
    campaignId: number,
    statuses: readonly LeadStatus[],
  ): Promise<Lead | null> {
    return tx.findOne(Lead, {
      where: { campaignId, mainLeadId: IsNull(), status: In(statuses) },
      order: { dueAt: 'ASC', id: 'ASC' },
    });
  }

  private async locked(tx: EntityManager, options: FindOneOptions<Lead>): Promise<LeadForDialling | null> {
    const lead = await tx.findOne(Lead, options);
    if (!lead) return null;
    const contacts = await tx.find(Lead, { where: { mainLeadId: lead.id }, order: { id: 'ASC' } });
    return { ...toContactForDialling(lead), contacts: contacts.map(toContactForDialling) };
  }
}
