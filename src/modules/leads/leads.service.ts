import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Invalid, type FieldErrors } from '#src/common/errors/api-error.js';
import { NUMBER_RULES } from '#src/common/phone/written-number.js';
import { AuditService } from '../audit/audit.service.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { CampaignsService } from '../campaigns/campaigns.service.js';
import type { CreateLeadDto } from './dto/lead-input.dto.js';
import type { LeadResponse } from './dto/lead.response.js';
import { Lead } from './entities/lead.entity.js';
import { LeadDuplicatesService } from './lead-duplicates.service.js';
import { LeadsRepository, leadJsonSql, LEADS_WITH_CAMPAIGN } from './leads.repository.js';
import type { NewLead } from './lead.types.js';
import { invalidCampaign, LeadNotFound, numberMessage, REPEATED_NUMBER } from './leads.errors.js';

@Injectable()
export class LeadsService {
  constructor(
    private readonly db: DataSource,
    private readonly accounts: AccountsService,
    private readonly campaigns: CampaignsService,
    private readonly leads: LeadsRepository,
    private readonly duplicates: LeadDuplicatesService,
    private readonly audit: AuditService,
  ) {}

  async getLead(userId: number, id: number): Promise<LeadResponse> {
    const [row]: { lead: LeadResponse }[] = await this.db.query(
      `SELECT ${leadJsonSql()} AS lead FROM ${LEADS_WITH_CAMPAIGN} 
        WHERE l.id = $1 AND l.account_id = $2 AND c.deleted_at IS NULL`,
      [id, userId],
    );
    if (!row) throw new LeadNotFound();
    return row.lead;
  }

  /** Main leads and secondary contacts. */
  async ownsLead(userId: number, id: number): Promise<boolean> {
    return this.db.manager.existsBy(Lead, { id, accountId: userId });
  }

  /**
   * @param mayCall whether a campaign that completed by itself continues with the lead
   * @throws Invalid, DuplicateLead: of concurrent requests with one number exactly one succeeds.
   */
  async createLead(userId: number, dto: CreateLeadDto, mayCall: boolean): Promise<LeadResponse> {
    const { allow_dupplicate: allowDuplicates = false, campaign_id: campaignId } = dto;
    const { lead, errors } = await this.parseLead(userId, dto, allowDuplicates);
    if (Object.keys(errors).length > 0) {
      throw (await this.campaigns.ownsCampaign(userId, campaignId))
        ? new Invalid(errors)
        : invalidCampaign(errors);
    }
    return this.leads.insertLead({ accountId: userId, campaignId, allowDuplicates, reopens: mayCall }, lead);
  }

  /** Deletes the contacts of a main lead with it. */
  async deleteLead(userId: number, id: number): Promise<void> {
    await this.audit.change(async (tx, record) => {
      const lead = await this.duplicates.lockForMove(tx, userId, id);
      await tx.delete(Lead, id);
      await this.duplicates.promoteNext(tx, lead);
      const details = { campaign_id: lead.campaignId };
      record({ accountId: userId, action: 'lead.delete', resourceId: id, details });
    });
  }

  /** Numbers in E.164, and their errors. */
  private async parseLead(
    userId: number,
    { phone_number, variables = {}, secondary_contacts = [] }: CreateLeadDto,
    allowDuplicates: boolean,
  ): Promise<{ lead: NewLead; errors: FieldErrors }> {
    const errors: FieldErrors = {};
    const seen = new Set<string>();
    const readNumber = this.accounts.createNumberParser(userId);
    const format = async (written: string, field: string): Promise<string> => {
      const read = await readNumber(written);
      if ('fault' in read) {
        errors[field] = [numberMessage(NUMBER_RULES[read.fault])];
        return '';
      }
      if (seen.has(read.number) && !allowDuplicates) errors[field] = [numberMessage(REPEATED_NUMBER)];
      seen.add(read.number);
      return read.number;
    };
    const lead: NewLead = {
      phone_number: await format(phone_number, 'phone_number'),
      variables,
      contacts: [],
    };
    for (const [index, contact] of secondary_contacts.entries()) {
      const number = await format(contact.phone_number, `secondary_contacts.${index}.phone_number`);
      lead.contacts.push({ phone_number: number, variables: contact.variables ?? {} });
    }
    return { lead, errors };
  }
}
