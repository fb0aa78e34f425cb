import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { type DomainEvent, OnDomainEvent } from '#src/events/event-type.js';
import { type PhoneNumberEventPayload, PhoneNumberWithdrawn } from '../phone-numbers/phone-number-events.js';
import { Assistant } from './entities/assistant.entity.js';

/** Assistants let a number go that the account no longer has. */
@Injectable()
export class AssistantNumbersListener {
  constructor(@InjectRepository(Assistant) private readonly assistants: Repository<Assistant>) {}

  @OnDomainEvent(PhoneNumberWithdrawn)
  async onNumberWithdrawn({
    payload: { phoneNumberId, accountId },
  }: DomainEvent<PhoneNumberEventPayload>): Promise<void> {
    await this.assistants.update({ accountId, phoneNumberId }, { phoneNumberId: null });
  }
}
