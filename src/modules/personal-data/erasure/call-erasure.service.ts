import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Person } from '#src/common/personal-data.js';
import { PendingEventsService } from '#src/events/pending-events.service.js';
import { CallsPersonalDataService } from '../../calls/personal-data/calls-personal-data.service.js';
import { RecordingsPersonalDataService } from '../../recordings/recordings-personal-data.service.js';
import { WebhooksPersonalDataService } from '../../webhooks/webhooks-personal-data.service.js';
import { CallTracesService } from './call-traces.service.js';
import type { ErasureStep, StepResult, Store } from './erasure-step.js';

/** Erases calls of the person, a batch of them with all that belongs to them. */
@Injectable()
export class CallErasureService implements ErasureStep {
  constructor(
    private readonly db: DataSource,
    private readonly calls: CallsPersonalDataService,
    private readonly traces: CallTracesService,
    private readonly recordings: RecordingsPersonalDataService,
    private readonly deliveries: WebhooksPersonalDataService,
    private readonly events: PendingEventsService,
  ) {}

  async eraseBatch(person: Person, store: Store): Promise<StepResult> {
    if (await this.calls.endRunning(person)) return { waitsFor: 'calls' };
    const calls = await this.calls.findFinal(person);
    if (calls.length === 0) return 'none';
    const callIds = calls.map(({ id }) => id);
    // A listener that has read a call would write what it read.
    if (await this.events.isPending(person.accountId, 'callId', callIds)) return { waitsFor: 'events' };
    if (await this.deliveries.stop({ callIds })) return { waitsFor: 'deliveries' };
    if ((await this.recordings.requestDeletion(this.db.manager, callIds)) > 0)
      return { waitsFor: 'recordings' };
    if (!(await this.calls.deleteAtCarrier(calls))) return { waitsFor: 'carrier' };
    let hasRecording = false;
    await store(async (tx) => {
      await this.calls.lock(tx, callIds);
      // It came after the others were deleted.
      hasRecording = (await this.recordings.requestDeletion(tx, callIds)) > 0;
      if (hasRecording) return {};
      const deliveries = await this.deliveries.erase(tx, { callIds });
      const traces = await this.traces.erase(tx, person, calls);
      return { ...(await this.calls.erase(tx, person, callIds)), ...traces, deliveries };
    });
    return hasRecording ? { waitsFor: 'recordings' } : 'more';
  }
}
