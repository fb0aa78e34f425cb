import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, MoreThan, Repository, type EntityManager } from 'typeorm';
import { BatchLoader, assumeFewRows } from '#src/common/persistence/batches.js';
import type { LockedRowPolicy } from '#src/common/persistence/skip-locked-batch-loader.js';
import { Lead } from './entities/lead.entity.js';
import type { LeadOutcome, LeadStatus } from './lead.types.js';
import { LeadZonesService } from './lead-zones.service.js';
import { toContactForDialling, toLeadView, type CalledLead, type LeadView } from './lead-view.js';

/** The outcome of a call to one of a lead's numbers, and the new status of the lead. */
export interface LeadCallOutcome {
  leadId: number;
  /** The lead's id or that of the contact. */
  dialledId: number;
  /** E.164 */
  phoneNumber: string;
  outcome: LeadOutcome;
  status: LeadStatus;
  /** When the next call is due, from now by the database's clock; 0: at another of its numbers. */
  inMs?: number | undefined;
}

/**
 * How long a transaction that settles calls waits for a lock. Then its events are given back, each to be dispatched
 * again: leads that somebody has locked do not hold up those behind them.
 */
const LOCK_WAIT_MS = 300;
const MAX_BATCH = 50;

/** The queue of a campaign's leads to dial. Ids are those of main leads or of contacts. */
@Injectable()
export class LeadQueueService {
  private readonly views = new BatchLoader<number, LeadView | null>((ids) => this.findViews(ids), MAX_BATCH);

  constructor(
    @InjectRepository(Lead) private readonly leads: Repository<Lead>,
    private readonly zones: LeadZonesService,
  ) {}

  /**
   * Locks main leads in the order of their ids; those that were deleted meanwhile are left out. This and all further
   * statements of the transaction fail when they wait for a lock longer than `LOCK_WAIT_MS`.
   *
   * @param whenLocked by somebody else: `wait`, or `skip` the lead
   */
  async lockLeads(
    tx: EntityManager,
    ids: readonly number[],
    whenLocked: LockedRowPolicy,
  ): Promise<Map<number, CalledLead>> {
    const query = tx
      .createQueryBuilder(Lead, 'lead')
      .where('lead.id = ANY(CAST(:ids AS int[]))', { ids })
      .andWhere(`(SELECT set_config('lock_timeout', '${LOCK_WAIT_MS}ms', true)) IS NOT NULL`)
      .orderBy('lead.id')
      .setLock('pessimistic_write');
    const leads = await (whenLocked === 'skip' ? query.setOnLocked('skip_locked') : query).getMany();
    return new Map(leads.map((lead) => [lead.id, toCalledLead(lead)]));
  }

  /** A lead, locked, with its contacts. */
  async loadContacts(tx: EntityManager, lead: CalledLead): Promise<CalledLead> {
    const contacts = await tx.find(Lead, { where: { mainLeadId: lead.id }, order: { id: 'ASC' } });
    const invalid = contacts.filter(({ numberInvalid }) => numberInvalid).map(({ id }) => id);
    return {
      ...lead,
      contacts: contacts.map(toContactForDialling),
      invalid: new Set([...lead.invalid, ...invalid]),
    };
  }

  /**
   * No call was placed: the lead gets its status back, and its place, as `due_at` did not change.
   *
   * @param pauseMs it is due only after this time; null: it keeps its place
   */
  async releaseClaim(
    tx: EntityManager,
    { id, status }: { id: number; status: LeadStatus },
    dialledId: number,
    pauseMs: number | null,
  ): Promise<void> {
    const before = await this.zones.findZones(tx, [id]);
    const dueAt = (): string => `now() + interval '${pauseMs} milliseconds'`;
    await tx.update(Lead, id, { status, ...(pauseMs !== null && { dueAt }) });
    await tx.decrement(Lead, { id: dialledId, attempts: MoreThan(0) }, 'attempts', 1);
    await this.zones.recomputeZoneKeys(tx, before);
  }

  /**
   * Records the outcomes of calls, each of another lead: the outcome, and the lead's status, which the client may have
   * set meanwhile.
   */
  async recordOutcomes(tx: EntityManager, calls: readonly LeadCallOutcome[]): Promise<void> {
    if (calls.length === 0) return;
    // A number that was changed during the call is another one: the outcome is not its own.
    await tx.query(
      `UPDATE leads SET updated_at = now(), requeue_after_call = false,
              last_outcome = CASE WHEN id = lead OR phone_number = number THEN outcome ELSE last_outcome END,
              number_invalid = number_invalid OR (id = dialled AND phone_number = number AND outcome = 'invalid_number'),
              status = CASE WHEN id = lead THEN become ELSE status END,
              due_at = CASE WHEN id = lead AND ms IS NOT NULL THEN now() + make_interval(secs => ms / 1000) ELSE due_at END,
              zone = CASE WHEN id = lead AND ms = 0 THEN NULL ELSE zone END
         FROM jsonb_to_recordset($1) AS called (lead int, dialled int, number text, outcome text, become text, ms float),
              LATERAL (SELECT lead UNION SELECT dialled) AS of_call (row_id)
        WHERE id = row_id AND ${assumeFewRows('lead')}`,
      [
        JSON.stringify(
          calls.map(({ leadId, dialledId, phoneNumber, outcome, status, inMs }) => ({
            lead: leadId,
            dialled: dialledId,
            number: phoneNumber,
            outcome,
            become: status,
            ms: inMs,
          })),
        ),
      ],
    );
    const moving = calls.filter(({ inMs }) => inMs === 0).map(({ leadId }) => ({ id: leadId, zone: null }));
    await this.zones.recomputeZoneKeys(tx, moving);
  }

  /** Puts a lead into the queue again as if none of its numbers had been called. */
  async requeueLead(tx: EntityManager, leadId: number, lastOutcome: LeadOutcome | null): Promise<void> {
    await tx.query(
      `UPDATE leads SET attempts = 0, number_invalid = false, requeue_after_call = false,
              status = CASE WHEN id = $1 THEN 'created' ELSE status END,
              due_at = CASE WHEN id = $1 THEN now() ELSE due_at END,
              last_outcome = CASE WHEN id = $1 THEN coalesce($2, last_outcome) ELSE last_outcome END,
              updated_at = CASE WHEN id = $1 THEN now() ELSE updated_at END
        WHERE id = $1 OR main_lead_id = $1`,
      [leadId, lastOutcome],
    );
    await this.zones.recomputeZoneKeys(tx, [{ id: leadId, zone: null }]);
  }

  /** Concurrent requests are one query. */
  findLeadView(id: number): Promise<LeadView | null> {
    return this.views.load(id);
  }

  private async findViews(ids: number[]): Promise<(LeadView | null)[]> {
    const leads = await this.leads.findBy({ id: In([...new Set(ids)]) });
    const views = new Map(leads.map((lead) => [lead.id, toLeadView(lead)]));
    return ids.map((id) => views.get(id) ?? null);
  }
}

const toCalledLead = (lead: Lead): CalledLead => ({
  ...toContactForDialling(lead),
  contacts: [],
  campaignId: lead.campaignId,
  requeueAfterCall: lead.requeueAfterCall,
  invalid: new Set(lead.numberInvalid ? [lead.id] : []),
});
