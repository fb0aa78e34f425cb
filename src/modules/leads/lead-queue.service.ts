import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Raw, Repository, type EntityManager, type FindOneOptions } from 'typeorm';
import { Lead } from './entities/lead.entity.js';
import {
  toContactForDialling,
  toLeadView,
  type LeadForDialling,
  type LeadView,
  OPEN_STATUSES,
  QUEUED_STATUSES,
  type LeadStatus,
} from './lead.types.js';

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

  /** Not now: the lead keeps its status and comes up again in `ms`. */
  async postpone(tx: EntityManager, id: number, ms: number): Promise<void> {
    await tx.query(`UPDATE leads SET due_at = now() + make_interval(secs => $2 / 1000.0) WHERE id = $1`, [
      id,
      ms,
    ]);
  }

  /** What became of a call. `dueAt` goes with a status that waits for the next one. */
  async settleLead(
    tx: EntityManager,
    id: number,
    { status, dueAt }: { status: LeadStatus; dueAt?: Date | undefined },
  ): Promise<void> {
    await tx.update(Lead, id, dueAt ? { status, dueAt } : { status });
  }

  /** When the first of the waiting leads is due, also if that is in the past. Null: none waits. */
  async nextDueAt(campaignId: number): Promise<Date | null> {
    return (await this.first(this.leads.manager, campaignId, QUEUED_STATUSES))?.dueAt ?? null;
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
