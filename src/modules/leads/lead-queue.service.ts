import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan, Repository, type EntityManager, type FindOneOptions } from 'typeorm';
import { Lead } from './entities/lead.entity.js';
import type { LeadOutcome, LeadStatus } from './lead.types.js';
import {
  toContactForDialling,
  toLeadView,
  type CalledLead,
  type LeadForDialling,
  type LeadView,
} from './lead-view.js';

/** What a call to one of a lead's numbers came to. */
export interface DialledNumber {
  /** The lead's id or that of the contact. */
  dialledId: number;
  /** E.164 */
  phoneNumber: string;
  outcome: LeadOutcome;
}

/** The queue of a campaign's leads to dial. Ids are those of main leads or of contacts. */
@Injectable()
export class LeadQueueService {
  constructor(@InjectRepository(Lead) private readonly leads: Repository<Lead>) {}

  /** Null: deleted meanwhile. */
  async lockLead(tx: EntityManager, id: number): Promise<CalledLead | null> {
    const rows = await this.lockedRows(tx, { where: { id }, lock: { mode: 'pessimistic_write' } });
    if (!rows) return null;
    const { campaignId, requeueAfterCall } = rows.lead;
    const invalid = [rows.lead, ...rows.contacts].filter(({ numberInvalid }) => numberInvalid);
    return {
      ...toLeadForDialling(rows),
      campaignId,
      requeueAfterCall,
      invalid: new Set(invalid.map((row) => row.id)),
    };
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
   * Writes what a call came to: the outcome, and the lead's status, which the client may have set meanwhile. `inMs`: when
   * the next call is due, from now by the database's clock; 0: at another of its numbers.
   */
  async settleCall(
    tx: EntityManager,
    leadId: number,
    { dialledId, phoneNumber, outcome }: DialledNumber,
    { status, inMs }: { status: LeadStatus; inMs?: number | undefined },
  ): Promise<void> {
    // A number that was changed during the call is another one: the outcome is not its own.
    await tx.query(
      `UPDATE leads SET updated_at = now(), requeue_after_call = false,
              last_outcome = CASE WHEN id = $1 OR phone_number = $4 THEN $3 ELSE last_outcome END,
              number_invalid = number_invalid OR (id = $2 AND phone_number = $4 AND $3 = 'invalid_number'),
              status = CASE WHEN id = $1 THEN $5 ELSE status END,
              due_at = CASE WHEN id = $1 AND $6::float IS NOT NULL
                            THEN now() + make_interval(secs => $6::float / 1000) ELSE due_at END,
              zone = CASE WHEN id = $1 AND $6::float = 0 THEN NULL ELSE zone END
        WHERE id IN ($1, $2)`,
      [leadId, dialledId, outcome, phoneNumber, status, inMs],
    );
  }

  /** Puts a lead into the queue again as if none of its numbers had been called. */
  async requeue(tx: EntityManager, leadId: number, lastOutcome: LeadOutcome | null): Promise<void> {
    await tx.query(
      `UPDATE leads SET attempts = 0, number_invalid = false, requeue_after_call = false,
              status = CASE WHEN id = $1 THEN 'created' ELSE status END,
              due_at = CASE WHEN id = $1 THEN now() ELSE due_at END,
              last_outcome = CASE WHEN id = $1 THEN coalesce($2, last_outcome) ELSE last_outcome END,
              updated_at = CASE WHEN id = $1 THEN now() ELSE updated_at END
        WHERE id = $1 OR main_lead_id = $1`,
      [leadId, lastOutcome],
    );
  }

  async view(id: number): Promise<LeadView | null> {
    const lead = await this.leads.findOneBy({ id });
    return lead && toLeadView(lead);
  }

  private async lockedRows(tx: EntityManager, options: FindOneOptions<Lead>): Promise<LeadRows | null> {
    const lead = await tx.findOne(Lead, options);
    if (!lead) return null;
    return { lead, contacts: await tx.find(Lead, { where: { mainLeadId: lead.id }, order: { id: 'ASC' } }) };
  }
}

interface LeadRows {
  lead: Lead;
  contacts: Lead[];
}

const toLeadForDialling = ({ lead, contacts }: LeadRows): LeadForDialling => ({
  ...toContactForDialling(lead),
  contacts: contacts.map(toContactForDialling),
});
