import { Injectable } from '@nestjs/common';
import { type DomainEvent, OnDomainEvent } from '#src/events/event-type.js';
import { JobQueue } from '#src/queue/job-queue.js';
import { CallEnded } from '../call-events.js';

@Injectable()
export class WrapUpListener {
  constructor(private readonly queue: JobQueue) {}

  @OnDomainEvent(CallEnded)
  async callEnded({ payload }: DomainEvent<{ callId: number }>): Promise<void> {
    this.queue.enqueue('call-wrap-up', payload.callId);
  }
}
