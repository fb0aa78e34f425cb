import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { keepRequestedTime, zoneKeyOf, type ZonedNumber } from './zone-key.js';
import { LeadClaimsRepository } from './lead-claims.repository.js';

/** Of a main lead, before a change. */
export interface PreviousZone {
  id: number;
  zone: string | null;
}

/**
 * The column `zone` of main leads. A trigger clears it when the number or the variables change; the same transaction
 * computes it again, so that the dialler need not.
 */
@Injectable()
export class LeadZonesService {
  constructor(private readonly claims: LeadClaimsRepository) {}

  /** Of the main leads with these ids, or of these contacts. */
  findZones(tx: EntityManager, ids: readonly number[]): Promise<PreviousZone[]> {
    return tx.query(
      `SELECT id, zone FROM leads WHERE id IN (SELECT coalesce(main_lead_id, id) FROM leads WHERE id = ANY($1))`,
      [ids],
    );
  }

  /** Writes the keys that were emptied since; a time that the person named on a call stays in them. */
  async recomputeZoneKeys(tx: EntityManager, leads: readonly PreviousZone[]): Promise<void> {
    if (leads.length === 0) return;
    const rows: (ZonedNumber & { id: number; status: string })[] = await tx.query(
      // The number that is dialled next: of those with attempts left the main one, else the contacts in their order.
      `SELECT main.id, main.status, next.phone_number AS "phoneNumber", next.variables
         FROM leads main JOIN all_campaigns campaign ON campaign.id = main.campaign_id, LATERAL (
           SELECT phone_number, variables FROM leads one WHERE one.id = main.id OR one.main_lead_id = main.id
            ORDER BY attempts < campaign.max_retries AND NOT number_invalid DESC, main_lead_id NULLS FIRST, id
            LIMIT 1) next
        WHERE main.id = ANY($1) AND main.zone IS NULL`,
      [leads.map(({ id }) => id)],
    );
    const zones = new Map(leads.map(({ id, zone }) => [id, zone]));
    await this.claims.setZones(
      tx,
      new Map(
        rows.map(({ id, status, ...number }) => {
          const key = zoneKeyOf(number);
          return [id, status === 'scheduled' ? keepRequestedTime(key, zones.get(id) ?? null) : key];
        }),
      ),
    );
  }
}
