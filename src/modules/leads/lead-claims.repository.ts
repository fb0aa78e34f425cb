import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { toSqlList } from '#src/common/persistence/sql-list.js';
import { QUEUED_STATUSES, type LeadOutcome, type LeadStatus } from './lead.types.js';
import type { ContactForDialling } from './lead-view.js';

/** Of the index `leads_queue`, which the planner takes only for this text. */
const QUEUED = `main_lead_id IS NULL AND status IN ${toSqlList(QUEUED_STATUSES)}`;
/** One after the other: the index then leads to those without zone, which are not read among the others. */
const EACH_STATUS = `unnest('{scheduled,rescheduled,created}'::text[]) AS queued (status)`;
/** With EACH_STATUS, and ordered by `zone` too, though it is null, because the planner does not know it as constant. */
const WITHOUT_ZONE = `${QUEUED} AND leads.status = queued.status AND leads.zone IS NULL ORDER BY leads.zone, due_at, id`;
/** Leads that somebody else has locked are passed over, this many at most. */
const MAX_SKIPPED_LOCKED = 20;
/** Appointments first, then retries, then leads that were never called. */
const STATUS_RANK: Record<(typeof QUEUED_STATUSES)[number], number> = {
  scheduled: 0,
  rescheduled: 1,
  created: 2,
};

/** Leads of a campaign that wait for a call and have the status and the time zones in common. */
export interface LeadGroup {
  campaignId: number;
  status: (typeof QUEUED_STATUSES)[number];
  /** See `Lead.zone`; null: not known yet. */
  zone: string | null;
  /** Of the one that is due first. */
  dueAt: Date;
}

/** A number of a lead as it waits. */
export interface QueuedNumber extends ContactForDialling {
  /** The carrier has reported that it does not exist. */
  numberInvalid: boolean;
}

/** A lead as it waits, with the key of its time zones and its contacts in the order in which they are tried. */
export interface QueuedLead extends QueuedNumber {
  campaignId: number;
  zone: string | null;
  contacts: QueuedNumber[];
}

/** A lead as a reader finds it. */
export interface WaitingLead extends QueuedLead {
  dueAt: Date;
}

/** The final status of a lead that is not called, and its reason. */
export interface FinalLeadStatus {
  status: LeadStatus;
  lastOutcome: LeadOutcome | null;
}

const COLUMNS = `l.id, l.campaign_id AS "campaignId", l.phone_number AS "phoneNumber", l.variables, l.status, l.attempts, l.zone,
  l.number_invalid AS "numberInvalid",
  coalesce((SELECT json_agg(json_build_object('id', c.id, 'phoneNumber', c.phone_number, 'variables', c.variables,
    'status', c.status, 'attempts', c.attempts, 'numberInvalid', c.number_invalid) ORDER BY c.id) FROM leads c WHERE c.main_lead_id = l.id), '[]') AS contacts`;

/** Takes leads out of campaigns' queues. The caller holds the accounts' locks. */
@Injectable()
export class LeadClaimsRepository {
  /**
   * Of each campaign. One index look-up for each group, with any number of leads; one group stands for all leads
   * without zone. Rows that were moved on, and that an old snapshot keeps, are read once only: the index has the first
   * due time with the group.
   */
  findGroups(tx: EntityManager, campaignIds: readonly number[]): Promise<LeadGroup[]> {
    return tx.query(
      `SELECT campaign.id AS "campaignId", lead.status, lead.zone, lead.due_at AS "dueAt"
         FROM unnest($1::int[]) AS campaign (id), LATERAL (
           WITH RECURSIVE one AS (
             (SELECT status, zone, due_at FROM leads WHERE campaign_id = campaign.id AND ${QUEUED} AND zone IS NOT NULL
               ORDER BY status, zone, due_at, id LIMIT 1)
             UNION ALL
             SELECT next.status, next.zone, next.due_at FROM one, LATERAL (
               SELECT status, zone, due_at FROM leads
                WHERE campaign_id = campaign.id AND ${QUEUED} AND zone IS NOT NULL
                  AND (status, zone) > (one.status, one.zone)
                ORDER BY status, zone, due_at, id LIMIT 1) next)
           SELECT status, zone, due_at FROM one
           UNION ALL
           (SELECT lead.* FROM ${EACH_STATUS}, LATERAL (
              SELECT leads.status, leads.zone, due_at FROM leads
               WHERE campaign_id = campaign.id AND ${WITHOUT_ZONE} LIMIT 1) lead LIMIT 1)) lead`,
      [campaignIds],
    );
  }

  /** When the last waiting lead of each campaign is due, by the index as `groups`; campaigns without any are absent. */
  async findLastDueTimes(db: EntityManager, campaignIds: readonly number[]): Promise<Map<number, Date>> {
    const last = 'ORDER BY status DESC, zone DESC, due_at DESC, id DESC LIMIT 1';
    const rows: { id: number; due: Date }[] = await db.query(
      `SELECT campaign.id, max(lead.due_at) AS due FROM unnest($1::int[]) AS campaign (id), LATERAL (
         WITH RECURSIVE one AS (
           (SELECT status, zone, due_at FROM leads WHERE campaign_id = campaign.id AND ${QUEUED} AND zone > '' ${last})
           UNION ALL
           SELECT next.status, next.zone, next.due_at FROM one, LATERAL (
             SELECT status, zone, due_at FROM leads
              WHERE campaign_id = campaign.id AND ${QUEUED} AND zone > '' AND (status, zone) < (one.status, one.zone)
              ${last}) next)
         SELECT due_at FROM one) lead GROUP BY 1`,
      [campaignIds],
    );
    return new Map(rows.map(({ id, due }) => [id, due]));
  }

  /**
   * The next due leads of the groups that nobody else has locked (SKIP LOCKED), locked until the transaction ends; of
   * each campaign at most its entry of `limits`, in the order in which they are called.
   */
  claimDue(
    tx: EntityManager,
    groups: readonly LeadGroup[],
    limits: ReadonlyMap<number, number>,
  ): Promise<QueuedLead[]> {
    return tx.query(
      `SELECT lead.* FROM unnest($1::int[], $2::int[]) WITH ORDINALITY AS asked (campaign, most, position), LATERAL (
         WITH picked AS (
           SELECT lead.id, open.rank, lead.due_at
             FROM unnest($3::int[], $4::text[], $5::text[], $6::int[], $7::timestamptz[])
                  AS open (campaign, status, zone, rank, first), LATERAL (
               SELECT id, due_at FROM leads
                WHERE campaign_id = open.campaign AND ${QUEUED} AND leads.status = open.status
                  AND leads.zone = open.zone AND due_at BETWEEN open.first AND now()
                ORDER BY due_at, id LIMIT asked.most + ${MAX_SKIPPED_LOCKED}) lead
            WHERE open.campaign = asked.campaign
            ORDER BY open.rank, lead.due_at, lead.id LIMIT asked.most + ${MAX_SKIPPED_LOCKED})
         SELECT ${COLUMNS}, picked.rank, l.due_at FROM picked JOIN leads l USING (id)
          WHERE l.campaign_id = asked.campaign AND l.status = ANY($8) AND l.due_at <= now()
          ORDER BY picked.rank, l.due_at, l.id LIMIT asked.most FOR UPDATE OF l SKIP LOCKED) lead
        ORDER BY asked.position, lead.rank, lead.due_at, lead.id`,
      [
        [...limits.keys()],
        [...limits.values()],
        groups.map(({ campaignId }) => campaignId),
        groups.map(({ status }) => status),
        groups.map(({ zone }) => zone),
        groups.map(({ status }) => STATUS_RANK[status]),
        groups.map(({ dueAt }) => dueAt),
        QUEUED_STATUSES,
      ],
    );
  }

  /**
   * The next callable leads, without a lock: of these groups the leads that are due or open first.
   *
   * @param groups `opensAt`: when the group's window opens; null: never
   */
  findWaiting(
    db: EntityManager,
    campaignId: number,
    groups: readonly (LeadGroup & { opensAt: Date | null })[],
    limit: number,
  ): Promise<WaitingLead[]> {
    const first = `ORDER BY due_at, id LIMIT $6`;
    return db.query(
      `WITH picked AS (
         SELECT lead.id, open.rank, greatest(lead.due_at, coalesce(open.opens_at, 'infinity')) AS at
           FROM unnest($2::text[], $3::text[], $4::int[], $5::timestamptz[]) AS open (status, zone, rank, opens_at),
                LATERAL (
                  (SELECT id, due_at FROM leads
                    WHERE campaign_id = $1 AND ${QUEUED} AND leads.status = open.status AND leads.zone = open.zone
                    ${first})
                  UNION ALL
                  (SELECT lead.id, lead.due_at FROM ${EACH_STATUS}, LATERAL (
                     SELECT id, due_at FROM leads
                      WHERE campaign_id = $1 AND open.zone IS NULL AND ${WITHOUT_ZONE} LIMIT $6) lead)) lead
          ORDER BY at, rank, lead.due_at, id LIMIT $6)
       SELECT ${COLUMNS}, l.due_at AS "dueAt" FROM picked JOIN leads l USING (id)
        ORDER BY picked.at, picked.rank, l.due_at, l.id`,
      [
        campaignId,
        groups.map(({ status }) => status),
        groups.map(({ zone }) => zone),
        groups.map(({ status }) => STATUS_RANK[status]),
        groups.map(({ opensAt }) => opensAt),
        limit,
      ],
    );
  }

  /** The main lead with this id, or of this contact, whatever its status; empty: it is not the campaign's. */
  findLead(db: EntityManager, campaignId: number, id: number): Promise<WaitingLead[]> {
    return db.query(
      `SELECT ${COLUMNS}, l.due_at AS "dueAt" FROM leads l
        WHERE l.campaign_id = $1 AND l.id = (SELECT coalesce(main_lead_id, id) FROM leads WHERE id = $2)`,
      [campaignId, id],
    );
  }

  /**
   * Leads whose time zones are not known yet, locked, `limit` of each campaign at most; those that somebody else has
   * locked come later.
   */
  claimLeadsWithoutZone(
    tx: EntityManager,
    campaignIds: readonly number[],
    limit: number,
  ): Promise<QueuedLead[]> {
    return tx.query(
      `SELECT lead.* FROM unnest($1::int[]) AS asked (campaign), LATERAL (
         WITH picked AS (
           SELECT lead.id FROM ${EACH_STATUS}, LATERAL (
             SELECT id FROM leads WHERE campaign_id = asked.campaign AND ${WITHOUT_ZONE}
              LIMIT $2 + ${MAX_SKIPPED_LOCKED}) lead
            LIMIT $2 + ${MAX_SKIPPED_LOCKED})
         SELECT ${COLUMNS} FROM picked JOIN leads l USING (id)
          WHERE l.campaign_id = asked.campaign AND l.status = ANY($3) AND l.zone IS NULL
          LIMIT $2 FOR UPDATE OF l SKIP LOCKED) lead`,
      [campaignIds, limit, QUEUED_STATUSES],
    );
  }

  /** A lead without any zone is not called (`no_timezone`), until it has one. */
  async setZones(tx: EntityManager, zones: ReadonlyMap<number, string>): Promise<void> {
    if (zones.size === 0) return;
    await tx.query(
      `UPDATE leads SET zone = known.zone,
              last_outcome = CASE WHEN known.zone = '' THEN 'no_timezone' ELSE nullif(last_outcome, 'no_timezone') END
         FROM unnest($1::int[], $2::text[]) AS known (id, zone)
        WHERE leads.id = known.id`,
      [[...zones.keys()], [...zones.values()]],
    );
  }

  /** The leads are being called: each at the number with this id, whose attempt is counted. */
  async markProcessing(tx: EntityManager, dialled: ReadonlyMap<number, number>): Promise<void> {
    if (dialled.size === 0) return;
    await tx.query(
      `UPDATE leads SET status = CASE WHEN id = ANY($1) THEN 'processing' ELSE status END,
              attempts = attempts + CASE WHEN id = ANY($2) THEN 1 ELSE 0 END
        WHERE id = ANY($1) OR id = ANY($2)`,
      [[...dialled.keys()], [...dialled.values()]],
    );
  }

  /** Final statuses of leads that have no number left. */
  async setFinalStatuses(tx: EntityManager, leads: ReadonlyMap<number, FinalLeadStatus>): Promise<void> {
    if (leads.size === 0) return;
    await tx.query(
      `UPDATE leads SET status = settled.status, last_outcome = coalesce(settled.outcome, last_outcome), updated_at = now()
         FROM unnest($1::int[], $2::text[], $3::text[]) AS settled (id, status, outcome) WHERE leads.id = settled.id`,
      [
        [...leads.keys()],
        [...leads.values()].map(({ status }) => status),
        [...leads.values()].map(({ lastOutcome }) => lastOutcome),
      ],
    );
  }

  /** Makes leads due again, each after its milliseconds; the status stays. @param lastOutcome null: it stays, too */
  async postponeLeads(
    tx: EntityManager,
    waits: ReadonlyMap<number, number>,
    lastOutcome: 'number_limit' | null,
  ): Promise<void> {
    if (waits.size === 0) return;
    await tx.query(
      `UPDATE leads SET due_at = now() + make_interval(secs => wait.ms / 1000.0),
              last_outcome = coalesce($3, last_outcome)
         FROM unnest($1::int[], $2::float[]) AS wait (id, ms) WHERE leads.id = wait.id`,
      [[...waits.keys()], [...waits.values()], lastOutcome],
    );
  }
}
