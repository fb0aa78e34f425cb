import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Invalid, type FieldErrors } from '#src/common/errors/api-error.js';
import { sqlState, UNIQUE_VIOLATION } from '#src/http/errors/error-response.js';
import { MAX_BODY_BYTES } from '#src/http/json-body.js';
import type { ParsedNumber } from '#src/common/phone/phone.js';
import { NUMBER_RULES } from '#src/common/phone/written-number.js';
import { fieldMessage, selectedInvalidMessage } from '#src/common/validation/field-rules.js';
import { freeObjectProblem } from '#src/common/validation/object-fields.js';
import { AuditService } from '../audit/audit.service.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { CampaignsService } from '../campaigns/campaigns.service.js';
import type { UpdateLeadDto } from './dto/lead-input.dto.js';
import { Lead } from './entities/lead.entity.js';
import { LeadDuplicatesService } from './lead-duplicates.service.js';
import { LeadZonesService } from './lead-zones.service.js';
import { LeadsRepository } from './leads.repository.js';
import { OPEN_STATUSES, type Variables } from './lead.types.js';
import { DuplicateLead, LeadNotFound, numberMessage, REPEATED_NUMBER } from './leads.errors.js';

/** SQL: the client puts a lead that is being called back into the queue, which happens when its call ends. */
const IS_DURING_CALL = `($4 = 'created' AND status = 'processing')`;

/**
 * SQL: not EXISTS, which becomes a join and finds nothing where the lead is moved while this statement waits for it.
 */
const HAS_CAMPAIGN = '(SELECT c.deleted_at IS NULL FROM all_campaigns c WHERE c.id = leads.campaign_id)';

interface UpdatedLead {
  variables: Variables;
  /** Id of the main lead. */
  main: number;
  requeued: boolean;
  campaignId: number;
}

/** The position of a lead: its number in its campaign. Absent: as before. */
interface LeadMove {
  number?: ParsedNumber;
  campaignId?: number;
}

@Injectable()
export class LeadUpdatesService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly campaigns: CampaignsService,
    private readonly duplicates: LeadDuplicatesService,
    private readonly leads: LeadsRepository,
    private readonly zones: LeadZonesService,
    private readonly audit: AuditService,
  ) {}

  /**
   * @param mayCall whether a campaign that completed by itself continues with the lead
   * @throws LeadNotFound, Invalid, DuplicateLead, PlanLimitReached
   */
  async updateLead(userId: number, id: number, dto: UpdateLeadDto, mayCall: boolean): Promise<void> {
    const { phone_number, campaign_id } = dto;
    const place: LeadMove = {};
    if (phone_number !== undefined)
      place.number = await this.accounts.createNumberParser(userId)(phone_number);
    if (campaign_id !== undefined) place.campaignId = campaign_id;
    const fields = Object.entries(dto).flatMap(([name, value]) => (value === undefined ? [] : [name]));
    await this.audit.change(async (tx, record) => {
      const before = await this.zones.findZones(tx, [id]);
      const queuedIn = new Set<number | null>();
      if (Object.keys(place).length > 0) queuedIn.add(await this.moveLead(tx, userId, id, place));
      queuedIn.add(await this.writeFields(tx, userId, id, dto));
      for (const campaignId of mayCall ? queuedIn : [])
        if (campaignId !== null) await this.campaigns.reopenCampaign(tx, userId, campaignId);
      await this.zones.recomputeZoneKeys(tx, before);
      const details = { status: dto.status };
      if (fields.length > 0)
        record({ accountId: userId, action: 'lead.update', resourceId: id, fields: fields.sort(), details });
    });
  }

  /**
   * One statement, so that updates at the same time keep each other's variables. The status that the lead has puts it
   * into no queue again.
   *
   * @returns the campaign in whose queue the lead is anew
   */
  private async writeFields(
    tx: EntityManager,
    userId: number,
    id: number,
    { status, variables }: UpdateLeadDto,
  ): Promise<number | null> {
    const [[row]]: [UpdatedLead[], number] = await tx.query(
      `UPDATE leads SET variables = given.variables, status = given.status,
              attempts = CASE WHEN given.requeued THEN 0 ELSE attempts END,
              number_invalid = number_invalid AND NOT given.requeued,
              due_at = CASE WHEN given.requeued THEN now() ELSE due_at END,
              requeue_after_call = given.requeue_after_call,
              updated_at = CASE WHEN given.variables = leads.variables AND given.status = leads.status
                                 AND given.requeue_after_call = leads.requeue_after_call
                                THEN updated_at ELSE now() END
         FROM (SELECT id, variables || coalesce($3::jsonb, '{}') AS variables,
                      CASE WHEN ${IS_DURING_CALL} THEN status ELSE coalesce($4, status) END AS status,
                      coalesce($4 = 'created' AND status NOT IN ('created', 'processing'), false) AS requeued,
                      CASE WHEN ${IS_DURING_CALL} THEN true WHEN coalesce($4, status) = status THEN requeue_after_call
                           ELSE false END AS requeue_after_call
                 FROM leads WHERE id = $1 AND account_id = $2 AND ${HAS_CAMPAIGN} FOR NO KEY UPDATE) AS given
        WHERE leads.id = given.id
       RETURNING leads.variables, coalesce(main_lead_id, leads.id) AS main, given.requeued,
                 leads.campaign_id AS "campaignId"`,
      [id, userId, variables, status],
    );
    if (!row) throw new LeadNotFound();
    const problem =
      variables && (freeObjectProblem(row.variables) ?? (await this.findSizeProblem(tx, row.main)));
    if (problem) throw new Invalid({ variables: [fieldMessage('variables', problem)] });
    // The contacts' attempts start at zero again, too.
    if (!row.requeued) return null;
    const asNew = { attempts: 0, numberInvalid: false, updatedAt: () => 'updated_at' };
    await tx.update(Lead, { mainLeadId: id }, asNew);
    return row.main === id ? row.campaignId : null;
  }

  /** A lead is read with all of its contacts; what one request can create is always within the limit. */
  private async findSizeProblem(tx: EntityManager, main: number): Promise<string | null> {
    const [row]: [{ bytes: number }] = await tx.query(
      `SELECT sum(octet_length(variables::text))::int AS bytes FROM leads WHERE id = $1 OR main_lead_id = $1`,
      [main],
    );
    return row.bytes > MAX_BODY_BYTES
      ? 'of a lead and its contacts must not be larger than 1 megabyte'
      : null;
  }

  /** @returns the campaign in whose queue the lead is now */
  private async moveLead(
    tx: EntityManager,
    userId: number,
    id: number,
    place: LeadMove,
  ): Promise<number | null> {
    const lead = await this.duplicates.lockForMove(tx, userId, id);
    const { number = { number: lead.phoneNumber }, campaignId = lead.campaignId } = place;
    const phoneNumber = 'number' in number ? number.number : null;
    const errors: FieldErrors = {};
    if ('fault' in number) errors.phone_number = [numberMessage(NUMBER_RULES[number.fault])];
    else if (await this.hasNumber(tx, lead, number.number))
      errors.phone_number = [numberMessage(REPEATED_NUMBER)];
    if (campaignId !== lead.campaignId) {
      if (!(await this.campaigns.lockCampaign(tx, userId, campaignId, 'shared'))) {
        errors.campaign_id = [selectedInvalidMessage('campaign_id')];
      } else if (lead.mainLeadId !== null) {
        errors.campaign_id = [
          fieldMessage('campaign_id', 'of a secondary contact must be that of its main lead'),
        ];
      }
    }
    if (phoneNumber === null || Object.keys(errors).length > 0) throw new Invalid(errors);
    if (phoneNumber === lead.phoneNumber && campaignId === lead.campaignId) return null;
    if (campaignId !== lead.campaignId && (await this.leads.findCapacity(userId, campaignId, tx)) <= 0)
      throw await this.leads.toLimitError(userId, tx);
    await this.applyMove(tx, lead, phoneNumber, campaignId);
    await this.duplicates.promoteNext(tx, lead);
    const isOpen = (OPEN_STATUSES as readonly string[]).includes(lead.status);
    return campaignId !== lead.campaignId && isOpen ? campaignId : null;
  }

  /** Whether the lead's main lead or another of its contacts has the number. */
  private async hasNumber(tx: EntityManager, lead: Lead, phoneNumber: string): Promise<boolean> {
    if (phoneNumber === lead.phoneNumber) return false;
    const main = lead.mainLeadId ?? lead.id;
    return tx.existsBy(Lead, [
      { id: main, phoneNumber },
      { mainLeadId: main, phoneNumber },
    ]);
  }

  /** Attempts and findings belong to the old number, not to the new one. */
  private async applyMove(
    tx: EntityManager,
    { id, phoneNumber: before }: Lead,
    phoneNumber: string,
    campaignId: number,
  ): Promise<void> {
    const asNew = { attempts: 0, lastOutcome: null, numberInvalid: false };
    const place = { phoneNumber, campaignId, ...(phoneNumber !== before && asNew) };
    try {
      await tx.update(Lead, id, { ...place, isDuplicate: false });
    } catch (error) {
      if (sqlState(error) === UNIQUE_VIOLATION) throw new DuplicateLead();
      throw error;
    }
    await tx.update(Lead, { mainLeadId: id }, { campaignId });
  }
}
