import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan, Repository, type EntityManager } from 'typeorm';
import { PERSONAL_DATA_BATCH, type Person } from '#src/common/personal-data.js';
import { Lead } from './entities/lead.entity.js';
import { LeadDuplicatesService } from './lead-duplicates.service.js';
import { LeadNotFound } from './leads.errors.js';

/** Deletes leads and contacts with a number, as a client does. */
@Injectable()
export class LeadsPersonalDataService {
  constructor(
    @InjectRepository(Lead) private readonly leads: Repository<Lead>,
    private readonly duplicates: LeadDuplicatesService,
  ) {}

  /** The ids of main leads and contacts. */
  async findIds({ accountId, phoneNumber }: Person): Promise<number[]> {
    const found = await this.leads.find({
      select: { id: true },
      where: { accountId, phoneNumber },
      order: { id: 'ASC' },
      take: PERSONAL_DATA_BATCH,
    });
    return found.map(({ id }) => id);
  }

  /** Main leads and contacts, for the archive. */
  async *read({ accountId, phoneNumber }: Person): AsyncGenerator<object> {
    for (let last: number | undefined = 0; last !== undefined;) {
      const leads: Lead[] = await this.leads.find({
        where: { accountId, phoneNumber, id: MoreThan(last) },
        order: { id: 'ASC' },
        take: PERSONAL_DATA_BATCH,
      });
      for (const { id, campaignId, mainLeadId, variables, status, attempts, lastOutcome, createdAt } of leads)
        yield {
          id,
          campaign_id: campaignId,
          main_lead_id: mainLeadId,
          phone_number: phoneNumber,
          variables,
          status,
          attempts,
          last_outcome: lastOutcome,
          created_at: createdAt,
        };
      last = leads.at(-1)?.id;
    }
  }

  /** A main lead with its contacts, or one contact. @returns how many rows */
  async erase(tx: EntityManager, { accountId }: Person, id: number): Promise<number> {
    const contacts = await tx.countBy(Lead, { mainLeadId: id });
    const lead = await this.duplicates.lockForMove(tx, accountId, id).catch((error: unknown) => {
      // Of a deleted campaign, whose leads are being removed.
      if (error instanceof LeadNotFound) return null;
      throw error;
    });
    const { affected } = await tx.delete(Lead, { id, accountId });
    if (!affected) return 0;
    if (lead) await this.duplicates.promoteNext(tx, lead);
    return affected + contacts;
  }
}
