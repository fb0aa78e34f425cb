import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { findOldRows } from '../retention/old-rows.js';
import { RetentionRegistryService } from '../retention/retention-registry.service.js';

/** By the last message. */
const OLD_CHATS = {
  table: 'chats',
  time: 'updated_at',
  condition: `state = 'ended' AND content_deleted_at IS NULL AND end_due_at IS NULL`,
};

/** Removes contents of text conversations that have ended. Their rows, times, counts and costs stay. */
@Injectable()
export class ChatRetentionService implements OnModuleInit {
  constructor(private readonly retention: RetentionRegistryService) {}

  onModuleInit(): void {
    this.retention.register('conversations', async (tx, scope) => {
      const ids = await findOldRows(tx, scope, OLD_CHATS);
      if (ids.length > 0) await this.removeContents(tx, ids);
      return ids.length;
    });
  }

  /** @param ids of conversations of one account that have ended and are evaluated */
  async removeContents(tx: EntityManager, ids: readonly number[]): Promise<void> {
    await tx.query(
      `UPDATE chats SET variables = '{}', visitor_variables = '{}', external_identifier = NULL, evaluation = '{}',
              evaluation_error = NULL, request_key = NULL, request_hash = NULL,
              content_deleted_at = coalesce(content_deleted_at, now())
        WHERE id = ANY($1)`,
      [ids],
    );
    await tx.query(
      `UPDATE chat_turns SET message = NULL, answer = NULL, function_calls = '[]'
        WHERE chat_id = ANY($1) AND (message IS NOT NULL OR answer IS NOT NULL OR function_calls <> '[]')`,
      [ids],
    );
  }
}
