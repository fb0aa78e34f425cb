import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan, Repository, type EntityManager, type FindOneOptions } from 'typeorm';
import { Lead } from './entities/lead.entity.js';
import type { LeadStatus } from './lead.types.js';
import { toContactForDialling, toLeadView, type LeadForDialling, type LeadView } from './lead-view.js';

/** The queue of a campaign's leads to dial. Ids are those of main leads or of contacts. */
@Injectable()
export class LeadQueueService {
  constructor(@InjectRepository(Lead) private readonly leads: Repository<Lead>) {}

  /** Null: deleted meanwhile. */
  async lockLead(tx: EntityManager, id: number): Promise<LeadForDialling | null> {
    return this.locked(tx, { where: { id }, lock: { mode: 'pessimistic_write' } });
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

  /** Makes each lead due again after its milliseconds; the status stays. */
  async postpone(tx: EntityManager, waits: ReadonlyMap<number, number>): Promise<void> {
    if (waits.size === 0) return;
    await tx.query(
      `UPDATE leads SET due_at = now() + make_interval(secs => wait.ms / 1000.0)
         FROM unnest($1::int[], $2::float[]) AS wait (id, ms) WHERE leads.id = wait.id`,
      [[...waits.keys()], [...waits.values()]],
    );
  }

  /**
   * Writes a lead's status after a call. `inMs`: when the next call is due, from now by the database's clock; 0: at
   * another of its numbers.
   */
  async settleLead(
    tx: EntityManager,
    id: number,
    { status, inMs }: { status: LeadStatus; inMs?: number | undefined },
  ): Promise<void> {
    const dueAt = (): string => `now() + interval '${inMs} milliseconds'`;
    const next = inMs === undefined ? {} : { dueAt, ...(inMs === 0 ? { zone: null } : {}) };
    await tx.update(Lead, id, { status, ...next });
  }

  /** Whether any lead waits for a call that may be made one day, or is in one. */
  async anyOpen(tx: EntityManager, campaignId: number): Promise<boolean> {
    const [row]: [{ open: boolean }] = await tx.query(
      `SELECT EXISTS (SELECT 1 FROM leads
                       WHERE campaign_id = $1 AND main_lead_id IS NULL AND status = 'processing')
           OR EXISTS (SELECT 1 FROM leads
                       WHERE campaign_id = $1 AND main_lead_id IS NULL
                         AND status IN ('created', 'scheduled', 'rescheduled') AND (zone > '' OR zone IS NULL)) AS open`,
      [campaignId],
    );
    return row.open;
  }

  async view(id: number): Promise<LeadView | null> {
    const lead = await this.leads.findOneBy({ id });
    return lead && toLeadView(lead);
  }

  private async locked(tx: EntityManager, options: FindOneOptions<Lead>): Promise<LeadForDialling | null> {
    const lead = await tx.findOne(Lead, options);
    if (!lead) return null;
    const contacts = await tx.find(Lead, { where: { mainLeadId: lead.id }, order: { id: 'ASC' } });
    return { ...toContactForDialling(lead), contacts: contacts.map(toContactForDialling) };
  }
}
