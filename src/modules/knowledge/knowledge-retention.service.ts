import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { oldRowsSql, scopeValues } from '../retention/old-rows.js';
import type { RetentionScope } from '../retention/retention-plan.js';
import { RetentionRegistryService } from '../retention/retention-registry.service.js';

const OLD_QUESTIONS = oldRowsSql({ table: 'unanswered_questions', time: 'created_at', condition: 'true' });

/** Removes questions of conversations, no later than the arguments of the search. */
@Injectable()
export class KnowledgeRetentionService implements OnModuleInit {
  constructor(private readonly retention: RetentionRegistryService) {}

  onModuleInit(): void {
    this.retention.register('questions', (tx, scope) => this.removeQuestions(tx, scope));
  }

  async removeQuestions(tx: EntityManager, scope: RetentionScope): Promise<number> {
    const [, count]: [unknown[], number] = await tx.query(
      `DELETE FROM unanswered_questions WHERE id IN (${OLD_QUESTIONS})`,
      scopeValues(scope),
    );
    return count;
  }
}
