import { Injectable } from '@nestjs/common';
import { type DomainEvent, OnDomainEvent } from '#src/events/event-type.js';
import { JobQueue } from '#src/queue/job-queue.js';
import { CallEnded, type CallFact } from '../call-events.js';

@Injectable()
export class WrapUpListener {
  constructor(private readonly queue: JobQueue) {}

  @OnDomainEvent(CallEnded)
  async callEnded({ payload: { callId, accountId } }: DomainEvent<CallFact>): Promise<void> {
    this.queue.enqueue('call-wrap-up', { id: callId, accountId });
  }
}
