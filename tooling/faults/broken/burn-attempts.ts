/** Planted defect: a request that the carrier refused counts as an attempt, so the lead ends undialled. */
import 'reflect-metadata';
import { Lead } from '#src/modules/leads/entities/lead.entity.js';
import { LeadQueueService } from '#src/modules/leads/lead-queue.service.js';

LeadQueueService.prototype.releaseClaim = async function (tx, { id }) {
  await tx.update(Lead, id, { status: 'reached-max-retries' });
};
