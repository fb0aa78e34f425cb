import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, MoreThan, Raw, Repository, type EntityManager, type FindOneOptions } from 'typeorm';
import { Lead } from './entities/lead.entity.js';
import { OPEN_STATUSES, QUEUED_STATUSES, type LeadOutcome, type LeadStatus } from './lead.types.js';
import {
  toContactForDialling,
  toLeadView,
  type CalledLead,
  type LeadForDialling,
  type LeadToJudge,
  type LeadView,
  type NumberToJudge,
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

  /** The next due main lead that is not locked (SKIP LOCKED); it stays locked until the transaction ends. */
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

  async markProcessing(tx: EntityManager, id: number): Promise<void> {
    await tx.update(Lead, id, { status: 'processing' });
  }

  /** Counts an attempt at this number. */
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
      `SELECT id, main_lead_id AS "mainLeadId", phone_number AS "phoneNumber", attempts,
              variables->'timezone' AS timezone FROM leads
        WHERE main_lead_id = ANY($1)`,
      [leads.map(({ id }) => id)],
    );
    const judged = new Map(leads.map((lead) => [lead.id, { ...lead, contacts: [] as NumberToJudge[] }]));
    for (const { mainLeadId, ...contact } of contacts) judged.get(mainLeadId)?.contacts.push(contact);
    return [...judged.values()];
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
   * Writes the status of a lead that is not called. `inMs`: when the next call is due, from now by the database's
   * clock. `lastOutcome`: why it is not called; absent keeps what its last call came to.
   */
  async settleLead(
    tx: EntityManager,
    id: number,
    { status, inMs, lastOutcome }: { status: LeadStatus; inMs?: number; lastOutcome?: LeadOutcome },
  ): Promise<void> {
    const dueAt = (): string => `now() + interval '${inMs} milliseconds'`;
    await tx.update(Lead, id, {
      status,
      ...(lastOutcome && { lastOutcome }),
      ...(inMs !== undefined && { dueAt }),
    });
  }

  /**
   * Writes what a call came to: the outcome, and the lead's status, which the client may have set meanwhile. `inMs` as
   * in `settleLead`.
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
                            THEN now() + make_interval(secs => $6::float / 1000) ELSE due_at END
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

  /** Whether any lead waits for a call or is in one. */
  async anyOpen(tx: EntityManager, campaignId: number): Promise<boolean> {
    return (await this.first(tx, campaignId, OPEN_STATUSES)) !== null;
  }

  async view(id: number): Promise<LeadView | null> {
    const lead = await this.leads.findOneBy({ id });
    return lead && toLeadView(lead);
  }

  /** Ordered like an index: without ORDER BY the planner would scan the table. */
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
    const rows = await this.lockedRows(tx, options);
    return rows && toLeadForDialling(rows);
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
