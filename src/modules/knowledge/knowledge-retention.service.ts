import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { RetentionScope } from '../retention/retention-plan.js';
import { RETENTION_BATCH } from '../retention/old-rows.js';
import { RetentionRegistryService } from '../retention/retention-registry.service.js';

/** Removes questions of conversations that nobody has asked for long. */
@Injectable()
export class KnowledgeRetentionService implements OnModuleInit {
  constructor(private readonly retention: RetentionRegistryService) {}

  onModuleInit(): void {
    this.retention.register('questions', (tx, scope) => this.removeQuestions(tx, scope));
  }

  async removeQuestions(
    tx: EntityManager,
    { accountId, before }: Pick<RetentionScope, 'accountId' | 'before'>,
  ): Promise<number> {
    const [, count]: [unknown[], number] = await tx.query(
      `DELETE FROM unanswered_questions WHERE id IN (
         SELECT id FROM unanswered_questions
          WHERE knowledge_base_id IN (SELECT id FROM knowledge_bases WHERE account_id = $1) AND last_asked_at < $2
          LIMIT ${RETENTION_BATCH} FOR UPDATE SKIP LOCKED)`,
      [accountId, before],
    );
    return count;
  }
}
