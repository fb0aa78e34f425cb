import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, MoreThan, Not, Repository, type EntityManager } from 'typeorm';
import { dialledForms, PERSONAL_DATA_BATCH, type Person } from '#src/common/personal-data.js';
import { maskNumber } from '#src/common/phone/mask-number.js';
import { CarrierMessages } from '../telephony/carrier-messages.js';
import { SmsMessage } from './entities/sms.entities.js';

/** Erases the text and the recipient of messages; their rows stay for the accounts. */
@Injectable()
export class SmsPersonalDataService {
  constructor(
    @InjectRepository(SmsMessage) private readonly messages: Repository<SmsMessage>,
    private readonly carrier: CarrierMessages,
  ) {}

  /** Whether it is not known of a message whether the carrier has it. */
  hasPending(person: Person): Promise<boolean> {
    return this.messages.existsBy({ ...toPerson(person), status: 'pending' });
  }

  findSettled(person: Person): Promise<SmsMessage[]> {
    return this.messages.find({
      where: { ...toPerson(person), status: Not('pending') },
      order: { id: 'ASC' },
      take: PERSONAL_DATA_BATCH,
    });
  }

  /** For the archive. */
  async *read(person: Person): AsyncGenerator<object> {
    for (let last: number | undefined = 0; last !== undefined;) {
      const messages: SmsMessage[] = await this.messages.find({
        where: { ...toPerson(person), id: MoreThan(last) },
        order: { id: 'ASC' },
        take: PERSONAL_DATA_BATCH,
      });
      for (const { id, from, to, body, status, error, createdAt } of messages)
        yield { id, from, to, body, status, error, created_at: createdAt };
      last = messages.at(-1)?.id;
    }
  }

  /** Removes the carrier's records. @returns false: for the carrier one is still on its way */
  async deleteAtCarrier(messages: readonly SmsMessage[]): Promise<boolean> {
    let isDone = true;
    for (const { smsSid } of messages)
      if (smsSid !== null) isDone = (await this.carrier.deleteMessage(smsSid)) && isDone;
    return isDone;
  }

  /** @returns how many */
  async erase(tx: EntityManager, { phoneNumber }: Person, messages: readonly SmsMessage[]): Promise<number> {
    const { affected } = await tx.update(
      SmsMessage,
      { id: In(messages.map(({ id }) => id)) },
      // The carrier's words for a failure may have the number.
      { to: maskNumber(phoneNumber), body: '', error: () => 'left(error, 0)' },
    );
    return affected ?? 0;
  }
}

const toPerson = (person: Person) => ({ accountId: person.accountId, to: In(dialledForms(person)) });
