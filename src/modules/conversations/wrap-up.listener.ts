import { Injectable } from '@nestjs/common';
import type { DomainEvent } from '#src/events/event-kind.js';
import { OnEvent } from '#src/events/on-event.decorator.js';
import { JobQueue } from '#src/queue/job-queue.js';
import { CallEnded } from '../calls/call-events.js';

@Injectable()
export class WrapUpListener {
  constructor(private readonly queue: JobQueue) {}

  @OnEvent(CallEnded)
  async callEnded({ payload }: DomainEvent<{ callId: number }>): Promise<void> {
    this.queue.wake('call-wrap-up', payload.callId);
  }
}
