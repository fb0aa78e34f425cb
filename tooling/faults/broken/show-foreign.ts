/** Planted defect: a lead is shown to every account. */
import 'reflect-metadata';
import type { DataSource } from 'typeorm';
import { LeadsService } from '#src/modules/leads/leads.service.js';

const { getLead } = LeadsService.prototype;

LeadsService.prototype.getLead = async function (userId: number, id: number) {
  const { db } = this as unknown as { db: DataSource };
  const [owner]: { account_id: number }[] = await db.query('SELECT account_id FROM leads WHERE id = $1', [
    id,
  ]);
  return getLead.call(this, owner?.account_id ?? userId, id);
};
