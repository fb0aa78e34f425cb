import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, type EntityManager } from 'typeorm';
import { Invalid } from '#src/common/errors/api-error.js';
import { fieldMessage } from '#src/common/validation/field-rules.js';
import { AccountsService } from '../accounts/accounts.service.js';
import {
  type CreateSuppressionDto,
  toSuppressionResponse,
  type SuppressionResponse,
} from './dto/suppression.dto.js';
import { Suppression } from './entities/suppression.entity.js';
import { SuppressionNotFound } from './suppressions.errors.js';

export type NewSuppression = Pick<Suppression, 'accountId' | 'phoneNumber' | 'reason' | 'source'>;

/** Numbers that an account never dials. */
@Injectable()
export class SuppressionsService {
  constructor(
    @InjectRepository(Suppression) private readonly suppressions: Repository<Suppression>,
    private readonly accounts: AccountsService,
  ) {}

  async listSuppressions(userId: number): Promise<SuppressionResponse[]> {
    const order = { createdAt: 'DESC', id: 'DESC' } as const;
    return (await this.suppressions.find({ where: { accountId: userId }, order })).map(toSuppressionResponse);
  }

  /** Answers the existing one when the number is suppressed already. */
  async createSuppression(
    userId: number,
    { phone_number, reason = null }: CreateSuppressionDto,
  ): Promise<SuppressionResponse> {
    const phoneNumber = await this.accounts.formatNumber(userId, phone_number);
    if (phoneNumber === null) {
      throw new Invalid({ phone_number: [fieldMessage('phone_number', 'must be a valid phone number')] });
    }
    const wanted: NewSuppression = { accountId: userId, phoneNumber, reason, source: 'api' };
    return toSuppressionResponse(await this.addSuppression(this.suppressions.manager, wanted));
  }

  async deleteSuppression(userId: number, id: number): Promise<void> {
    const { affected } = await this.suppressions.delete({ id, accountId: userId });
    if (!affected) throw new SuppressionNotFound();
  }

  /** `phoneNumber` in E.164. */
  isSuppressed(tx: EntityManager, accountId: number, phoneNumber: string): Promise<boolean> {
    return tx.existsBy(Suppression, { accountId, phoneNumber });
  }

  /** Safe to repeat: a number stands there once, with the reason that was given first. */
  async addSuppression(
    tx: EntityManager,
    { accountId, phoneNumber, reason, source }: NewSuppression,
  ): Promise<Suppression> {
    // An update that changes nothing, because DO NOTHING would not return the row.
    const [row]: [Suppression] = await tx.query(
      `INSERT INTO suppressions (account_id, phone_number, reason, source) VALUES ($1, $2, $3, $4)
       ON CONFLICT (account_id, phone_number) DO UPDATE SET phone_number = excluded.phone_number
       RETURNING id, account_id AS "accountId", phone_number AS "phoneNumber", reason, source,
                 created_at AS "createdAt"`,
      [accountId, phoneNumber, reason, source],
    );
    return row;
  }
}
