import { Injectable } from '@nestjs/common';
import type { Person } from '#src/common/personal-data.js';
import { PendingEventsService } from '#src/events/pending-events.service.js';
import { CallsPersonalDataService } from '../../calls/personal-data/calls-personal-data.service.js';
import { LeadsPersonalDataService } from '../../leads/leads-personal-data.service.js';
import { WebhooksPersonalDataService } from '../../webhooks/webhooks-personal-data.service.js';
import type { ErasureStep, StepResult, Store } from './erasure-step.js';

/** Deletes leads and contacts of the person, and what was delivered about calls to other numbers of the lead. */
@Injectable()
export class LeadErasureService implements ErasureStep {
  constructor(
    private readonly leads: LeadsPersonalDataService,
    private readonly calls: CallsPersonalDataService,
    private readonly deliveries: WebhooksPersonalDataService,
    private readonly events: PendingEventsService,
  ) {}

  async eraseBatch(person: Person, store: Store): Promise<StepResult> {
    const ids = await this.leads.findIds(person);
    if (ids.length === 0) return 'none';
    const callIds = await this.calls.findOfLeads(person.accountId, ids);
    if (await this.events.isPending(person.accountId, 'callId', callIds)) return { waitsFor: 'events' };
    if (await this.deliveries.stop({ callIds })) return { waitsFor: 'deliveries' };
    // Before the leads, which name the calls.
    if (callIds.length > 0)
      await store(async (tx) => ({ deliveries: await this.deliveries.erase(tx, { callIds }) }));
    // Each in its own transaction: a lead locks its campaign.
    for (const id of ids) await store(async (tx) => ({ leads: await this.leads.erase(tx, person, id) }));
    return 'more';
  }
}
