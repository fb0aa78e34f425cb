import { Injectable } from '@nestjs/common';
import { In, type EntityManager } from 'typeorm';
import type { Person } from '#src/common/personal-data.js';
import { maskNumber } from '#src/common/phone/mask-number.js';
import { CallAttempt } from './entities/call-attempt.entity.js';

/** Attempts keep no number of an erased person. */
@Injectable()
export class AttemptsPersonalDataService {
  /** Of calls that are over. */
  async erase(tx: EntityManager, { phoneNumber }: Person, callIds: readonly number[]): Promise<void> {
    await tx.update(CallAttempt, { callId: In([...callIds]) }, { phoneNumber: maskNumber(phoneNumber) });
  }
}
