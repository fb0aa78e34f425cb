import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Like, Repository, type EntityManager, type FindOptionsWhere } from 'typeorm';
import { Invalid } from '#src/common/errors/api-error.js';
import { DEFAULT_PER_PAGE, pageOffset, Page } from '#src/http/pagination/page.js';
import { NUMBER_RULES } from '#src/common/phone/written-number.js';
import { fieldMessage } from '#src/common/validation/field-rules.js';
import { AuditService } from '../audit/audit.service.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { type CreateSuppressionDto, type ListSuppressionsDto } from './dto/suppression.dto.js';
import { toSuppressionResponse, type SuppressionResponse } from './dto/suppression.response.js';
import { Suppression } from './entities/suppression.entity.js';
import { ErasedNumbersService } from './erased-numbers.service.js';
import { SuppressionNotFound } from './suppressions.errors.js';

export type NewSuppression = Pick<Suppression, 'accountId' | 'reason' | 'source'> & { phoneNumber: string };

/** The bare array is no longer than this. */
export const MAX_LISTED = 1000;

/** Numbers that an account never dials. */
@Injectable()
export class SuppressionsService {
  constructor(
    @InjectRepository(Suppression) private readonly suppressions: Repository<Suppression>,
    private readonly accounts: AccountsService,
    private readonly audit: AuditService,
    private readonly erased: ErasedNumbersService,
  ) {}

  /** The newest ones; with `page` or `per_page` one page of all. */
  async listSuppressions(
    userId: number,
    query: ListSuppressionsDto,
  ): Promise<SuppressionResponse[] | Page<SuppressionResponse>> {
    const { page, per_page } = query;
    const where = await this.filter(userId, query);
    const order = { createdAt: 'DESC', id: 'DESC' } as const;
    if (page === undefined && per_page === undefined)
      return (await this.suppressions.find({ where, order, take: MAX_LISTED })).map(toSuppressionResponse);
    const request = { page: page ?? 1, per_page: per_page ?? DEFAULT_PER_PAGE };
    const [found, total] = await this.suppressions.findAndCount({
      where,
      order,
      skip: pageOffset(request),
      take: request.per_page,
    });
    return new Page(found, total, request).map(toSuppressionResponse);
  }

  /** Returns the existing entry when the number is suppressed already. */
  async createSuppression(
    userId: number,
    { phone_number, reason = null }: CreateSuppressionDto,
  ): Promise<SuppressionResponse> {
    const read = await this.accounts.createNumberParser(userId)(phone_number);
    if ('fault' in read) {
      throw new Invalid({ phone_number: [fieldMessage('phone_number', NUMBER_RULES[read.fault])] });
    }
    const wanted: NewSuppression = { accountId: userId, phoneNumber: read.number, reason, source: 'api' };
    return this.audit.change(async (tx, record) => {
      const suppression = await this.addSuppression(wanted, tx);
      record({ accountId: userId, action: 'suppression.create', resourceId: suppression.id });
      return toSuppressionResponse(suppression);
    });
  }

  async deleteSuppression(userId: number, id: number): Promise<void> {
    await this.audit.change(async (tx, record) => {
      const { affected } = await tx.delete(Suppression, { id, accountId: userId, whileErasing: false });
      if (!affected) throw new SuppressionNotFound();
      record({ accountId: userId, action: 'suppression.delete', resourceId: id });
    });
  }

  /** `phoneNumber` in E.164. */
  async isSuppressed(tx: EntityManager, accountId: number, phoneNumber: string): Promise<boolean> {
    if (await tx.existsBy(Suppression, { accountId, phoneNumber })) return true;
    return (await this.erased.findErased(tx, accountId, [phoneNumber])).has(phoneNumber);
  }

  private async filter(
    accountId: number,
    { phone_number }: ListSuppressionsDto,
  ): Promise<FindOptionsWhere<Suppression>> {
    if (phone_number === undefined) return { accountId, whileErasing: false };
    const match = await this.accounts.toNumberCondition(accountId, phone_number);
    // No number has the empty text: an invalid number matches nothing.
    const { operator, value } = match ?? { operator: '=', value: '' };
    return { accountId, phoneNumber: operator === '=' ? value : Like(value) };
  }

  /** Idempotent: a number is stored once, with the first reason. */
  async addSuppression(
    { accountId, phoneNumber, reason, source }: NewSuppression,
    manager: EntityManager = this.suppressions.manager,
  ): Promise<Suppression> {
    // An update that changes nothing, because DO NOTHING would not return the row.
    const [row]: [Suppression] = await manager.query(
      `INSERT INTO suppressions (account_id, phone_number, reason, source) VALUES ($1, $2, $3, $4)
       ON CONFLICT (account_id, phone_number) DO UPDATE SET phone_number = excluded.phone_number
       RETURNING id, account_id AS "accountId", phone_number AS "phoneNumber", reason, source,
                 created_at AS "createdAt"`,
      [accountId, phoneNumber, reason, source],
    );
    return row;
  }
}
