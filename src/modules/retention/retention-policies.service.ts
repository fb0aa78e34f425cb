import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { camelKeys, selectChangedColumns } from '#src/common/persistence/columns.js';
import { AuditService } from '../audit/audit.service.js';
import { changedFields } from '../audit/changed-fields.js';
import type { UpdateRetentionDto } from './dto/retention-input.dto.js';
import { toRetentionResponse, type RetentionResponse } from './dto/retention.response.js';
import { RetentionPolicy } from './entities/retention-policy.entity.js';
import { planRetention, type AssistantRule, type RetentionStep } from './retention-plan.js';

/** How long accounts keep contents. */
@Injectable()
export class RetentionPoliciesService {
  constructor(
    @InjectRepository(RetentionPolicy) private readonly policies: Repository<RetentionPolicy>,
    private readonly audit: AuditService,
  ) {}

  async getRetention(userId: number): Promise<RetentionResponse> {
    return toRetentionResponse(await this.policies.findOneBy({ accountId: userId }));
  }

  /** Fields that are not given stay. */
  async updateRetention(userId: number, dto: UpdateRetentionDto): Promise<RetentionResponse> {
    return this.audit.change(async (tx, record) => {
      await tx.query('INSERT INTO retention_policies (account_id) VALUES ($1) ON CONFLICT DO NOTHING', [
        userId,
      ]);
      const where = { accountId: userId };
      const policy = await tx.findOneOrFail(RetentionPolicy, { where, lock: { mode: 'pessimistic_write' } });
      const columns = selectChangedColumns<RetentionPolicy>(camelKeys(dto), policy);
      if (Object.keys(columns).length > 0) {
        await tx.update(RetentionPolicy, where, columns);
        record({ accountId: userId, action: 'retention.update', fields: changedFields(columns) });
      }
      return toRetentionResponse({ ...policy, ...columns });
    });
  }

  /** Accounts with a rule of their own or of an assistant, in the order of their ids. */
  async findAccounts(after: number, limit: number): Promise<number[]> {
    const rows: { id: number }[] = await this.policies.query(
      `SELECT account_id AS id FROM (
         SELECT account_id FROM retention_policies WHERE account_id > $1
         UNION SELECT account_id FROM assistant_retention WHERE account_id > $1 AND retention IS NOT NULL) AS ruled
        ORDER BY account_id LIMIT $2`,
      [after, limit],
    );
    return rows.map(({ id }) => id);
  }

  async planFor(accountId: number, now: Date): Promise<RetentionStep[]> {
    const policy = await this.getRetention(accountId);
    const assistants: AssistantRule[] = await this.policies.query(
      'SELECT assistant_id AS "assistantId", retention FROM assistant_retention WHERE account_id = $1',
      [accountId],
    );
    return planRetention(accountId, policy, assistants, now);
  }
}
