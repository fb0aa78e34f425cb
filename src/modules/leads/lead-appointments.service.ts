import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Invalid } from '#src/common/errors/api-error.js';
import { AuditService } from '../audit/audit.service.js';
import { addRequestedTime, zoneKeyOf, type ZonedNumber } from './zone-key.js';
import { fieldMessage } from '#src/common/validation/field-rules.js';
import { readTimestamp } from '#src/common/validation/text-fields.js';
import { DAY_MS } from '#src/common/time/durations.js';
import { CampaignsService } from '../campaigns/campaigns.service.js';
import type { ScheduleLeadDto } from './dto/lead-input.dto.js';
import { LeadNotFound } from './leads.errors.js';
import { LeadZonesService } from './lead-zones.service.js';

const MAX_DAYS_AHEAD = 90;

/** `past`: not in the future. `far`: more than 90 days ahead. `gone`: the lead or its campaign was deleted. */
export type AppointmentProblem = 'past' | 'far' | 'gone';

const PROBLEM_RULES = {
  past: 'must be a date in the future',
  far: `must be at most ${MAX_DAYS_AHEAD} days ahead`,
} as const;

/** Appointments of leads: requested by the owner, or agreed on a call. */
@Injectable()
export class LeadAppointmentsService {
  constructor(
    private readonly db: DataSource,
    private readonly campaigns: CampaignsService,
    private readonly zones: LeadZonesService,
    private readonly audit: AuditService,
  ) {}

  /**
   * @param mayCall whether a campaign that completed by itself continues with the lead
   * @throws LeadNotFound, Invalid
   */
  async scheduleLead(userId: number, id: number, dto: ScheduleLeadDto, mayCall: boolean): Promise<void> {
    const at = readTimestamp(dto.scheduled_at);
    const problem = at
      ? await this.schedule(userId, id, at, { isNamed: false, mayCall })
      : await this.cancelAppointment(userId, id);
    if (problem === 'gone') throw new LeadNotFound();
    if (problem) throw new Invalid({ scheduled_at: [fieldMessage('scheduled_at', PROBLEM_RULES[problem])] });
  }

  /**
   * An appointment that the customer of a running call wants.
   *
   * @param leadId of the main lead
   * @param phoneNumber the lead's or that of one of its contacts: the one that is spoken with
   */
  async scheduleOnCall(
    accountId: number,
    leadId: number,
    phoneNumber: string,
    at: Date,
  ): Promise<AppointmentProblem | null> {
    const [calledNumber]: { id: number }[] = await this.db.query(
      `SELECT id FROM leads WHERE account_id = $1 AND (id = $2 OR main_lead_id = $2) AND phone_number = $3
        ORDER BY main_lead_id NULLS FIRST, id LIMIT 1`,
      [accountId, leadId, phoneNumber],
    );
    return this.schedule(accountId, calledNumber?.id ?? leadId, at, { isNamed: true, mayCall: true });
  }

  /**
   * The main lead waits for that moment; the number whose id is given may be called as often as a new one. A call that
   * runs has reached its lead.
   *
   * @param isNamed the person on the call named this time, which counts at any hour
   * @param mayCall whether a campaign that completed by itself goes on with the lead
   */
  private async schedule(
    accountId: number,
    id: number,
    at: Date,
    { isNamed, mayCall }: { isNamed: boolean; mayCall: boolean },
  ): Promise<AppointmentProblem | null> {
    const aheadMs = at.getTime() - Date.now();
    const problem = aheadMs <= 0 ? 'past' : aheadMs > MAX_DAYS_AHEAD * DAY_MS ? 'far' : null;
    // A lead of another account does not exist, with any time.
    if (problem) return (await this.exists(accountId, id)) ? problem : 'gone';
    return this.audit.change(async (tx, record) => {
      const [[row]]: [{ campaignId: number }[], number] = await tx.query(
        `UPDATE leads SET updated_at = now(), requeue_after_call = false,
              number_invalid = number_invalid AND id <> $2,
              attempts = CASE WHEN id = $2 THEN 0 ELSE attempts END,
              status = CASE WHEN main_lead_id IS NULL THEN 'scheduled' ELSE status END,
              due_at = CASE WHEN main_lead_id IS NULL THEN $3 ELSE due_at END,
              unscheduled_status = CASE
                WHEN main_lead_id IS NOT NULL OR status = 'scheduled' THEN unscheduled_status
                WHEN status = 'processing' THEN 'completed' ELSE status END
        WHERE ${LEAD_OR_ITS_MAIN} RETURNING campaign_id AS "campaignId"`,
        [accountId, id, at],
      );
      if (!row) return 'gone';
      await this.setZone(tx, id, isNamed ? at : null);
      if (mayCall) await this.campaigns.reopenCampaign(tx, accountId, row.campaignId);
      if (!isNamed) record({ accountId, action: 'lead.schedule', resourceId: id });
      return null;
    });
  }

  /**
   * Apart from the statement before, whose trigger forgets the key. A contact's turn may come after the main number.
   */
  private async setZone(tx: EntityManager, id: number, named: Date | null): Promise<void> {
    const [calledNumber]: (ZonedNumber & { main: number })[] = await tx.query(
      `SELECT coalesce(main_lead_id, id) AS main, phone_number AS "phoneNumber", variables FROM leads WHERE id = $1`,
      [id],
    );
    if (!calledNumber) return;
    const zone = named && addRequestedTime(zoneKeyOf(calledNumber), named);
    await tx.query('UPDATE leads SET zone = $2 WHERE id = $1', [calledNumber.main, zone]);
    await this.zones.recomputeZoneKeys(tx, [{ id: calledNumber.main, zone }]);
  }

  /** The lead gets the status back that it had; one that has no appointment stays as it is. */
  private async cancelAppointment(accountId: number, id: number): Promise<AppointmentProblem | null> {
    const affected = await this.audit.change(async (tx, record) => {
      const [leads]: [{ id: number; zone: null }[], number] = await tx.query(
        `UPDATE leads SET status = coalesce(unscheduled_status, 'created'), due_at = now(), updated_at = now(),
              zone = NULL
        WHERE ${LEAD_OR_ITS_MAIN} AND main_lead_id IS NULL AND status = 'scheduled' RETURNING id, zone`,
        [accountId, id],
      );
      await this.zones.recomputeZoneKeys(tx, leads);
      if (leads.length > 0) record({ accountId, action: 'lead.schedule', resourceId: id });
      return leads.length;
    });
    return affected > 0 || (await this.exists(accountId, id)) ? null : 'gone';
  }

  private async exists(accountId: number, id: number): Promise<boolean> {
    const rows: unknown[] = await this.db.query(`SELECT 1 FROM leads WHERE ${LEAD_OR_ITS_MAIN} LIMIT 1`, [
      accountId,
      id,
    ]);
    return rows.length > 0;
  }
}

/** The lead $2 of the account $1, and its main lead where it is a contact. */
const LEAD_OR_ITS_MAIN = `account_id = $1 AND id IN ($2::int, (SELECT main_lead_id FROM leads WHERE id = $2))
  AND (SELECT c.deleted_at IS NULL FROM all_campaigns c WHERE c.id = leads.campaign_id)`;
