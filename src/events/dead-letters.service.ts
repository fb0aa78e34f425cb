import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { DomainEventRecord } from './domain-event.entity.js';
import { EVENTS_CHANNEL } from './domain-events.service.js';

export type DeadEvent = Pick<DomainEventRecord, 'id' | 'kind' | 'payload' | 'lastError' | 'createdAt'>;

/** Events that failed repeatedly and wait for an operator. */
@Injectable()
export class DeadLettersService {
  constructor(@InjectRepository(DomainEventRecord) private readonly events: Repository<DomainEventRecord>) {}

  listDeadLetters(): Promise<DeadEvent[]> {
    return this.events.find({
      select: { id: true, kind: true, payload: true, lastError: true, createdAt: true },
      where: { state: 'dead' },
      order: { id: 'ASC' },
    });
  }

  /** Hands all of them over again, with all their attempts before them. @returns how many. */
  async replayDeadLetters(): Promise<number> {
    const { affected } = await this.events.update(
      { state: 'dead' },
      { state: 'pending', attempts: 0, dueAt: () => 'now()' },
    );
    await this.events.query(`SELECT pg_notify('${EVENTS_CHANNEL}', '')`);
    return affected ?? 0;
  }
}
