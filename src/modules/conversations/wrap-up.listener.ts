import { Injectable } from '@nestjs/common';
import type { DomainEvent } from '#src/events/event-kind.js';
import { OnEvent } from '#src/events/on-event.decorator.js';
import { JobQueue } from '#src/queue/job-queue.js';
import { CallEnded, type CallFact } from '../calls/call-events.js';

@Injectable()
export class WrapUpListener {
  constructor(private readonly queue: JobQueue) {}

  @OnEvent(CallEnded)
  async callEnded({ payload: { callId, accountId } }: DomainEvent<CallFact>): Promise<void> {
    this.queue.wake('call-wrap-up', { id: callId, accountId });
  }
}
