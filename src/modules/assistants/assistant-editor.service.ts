import { Injectable } from '@nestjs/common';
import { DataSource, IsNull, type EntityManager, type QueryDeepPartialEntity } from 'typeorm';
import { drainSendLocks } from '#src/common/persistence/send-lock.js';
import { PreparedInsert } from '#src/common/persistence/prepared-query.js';
import { tellingConflicts, assertValid, AssistantInputService } from './assistant-input.service.js';
import { ASSISTANT_DEFAULTS } from './assistant-settings.js';
import { AssistantNotFound } from './assistants.errors.js';
import { toAssistantSummary, type AssistantSummaryResponse } from './dto/assistant-summaries.response.js';
import type { CreateAssistantDto, UpdateAssistantDto } from './dto/assistant-input.dto.js';
import { Assistant } from './entities/assistant.entity.js';

/** Creates, changes and deletes assistants. */
@Injectable()
export class AssistantEditorService {
  private readonly insert: PreparedInsert<Assistant>;

  constructor(
    private readonly db: DataSource,
    private readonly drafts: AssistantInputService,
  ) {
    this.insert = new PreparedInsert(db, Assistant);
  }

  async createAssistant(userId: number, dto: CreateAssistantDto): Promise<AssistantSummaryResponse> {
    const draft = await this.drafts.readInput(userId, dto);
    const assistant = Object.assign(new Assistant(), ASSISTANT_DEFAULTS, draft.columns, {
      accountId: userId,
    });
    assertValid(draft, assistant);
    const { toolIds = [] } = draft;
    const write = async (tx?: EntityManager): Promise<void> => {
      assistant.id = await this.insert.run(assistant, tx);
      if (tx) await attach(tx, assistant.id, toolIds);
    };
    // One statement needs no transaction around it.
    await tellingConflicts(() => (toolIds.length > 0 ? this.db.transaction(write) : write()));
    return toAssistantSummary(assistant);
  }

  /** Writes the given fields only, so that two updates at once of different fields both count. */
  async updateAssistant(
    userId: number,
    id: number,
    dto: UpdateAssistantDto,
  ): Promise<AssistantSummaryResponse> {
    // Before the transaction: a look-up inside it would ask the pool for a second connection.
    const draft = await this.drafts.readInput(userId, dto);
    const write = async (tx: EntityManager): Promise<Assistant> => {
      const where = { id, accountId: userId };
      const current = await tx.findOne(Assistant, { where, lock: { mode: 'for_no_key_update' } });
      if (!current) throw new AssistantNotFound();
      const after = Object.assign(current, draft.columns);
      assertValid(draft, after);
      // The library's type has no place for JSON of any shape.
      await tx.update(Assistant, { id }, draft.columns as QueryDeepPartialEntity<Assistant>);
      if (draft.toolIds) {
        await detachAll(tx, id);
        await attach(tx, id, draft.toolIds);
      }
      return after;
    };
    const after = await tellingConflicts(() => this.db.transaction(write));
    const { webhookUrl, isWebhookActive } = draft.columns;
    if (webhookUrl !== undefined || isWebhookActive !== undefined) await drainSendLocks(this.db.manager, id);
    return toAssistantSummary(after);
  }

  /** The row stays for the calls that were made; its number and its tools are free again. */
  async deleteAssistant(userId: number, id: number): Promise<void> {
    await this.db.transaction(async (tx) => {
      const live = { id, accountId: userId, deletedAt: IsNull() };
      const { affected } = await tx.update(Assistant, live, { deletedAt: new Date(), phoneNumberId: null });
      if (!affected) throw new AssistantNotFound();
      await detachAll(tx, id);
    });
    await drainSendLocks(this.db.manager, id);
  }
}

const attach = (tx: EntityManager, id: number, toolIds: number[]): Promise<unknown> =>
  tx.query('INSERT INTO assistant_tools (assistant_id, tool_id) SELECT $1, unnest($2::int[])', [id, toolIds]);

const detachAll = (tx: EntityManager, id: number): Promise<unknown> =>
  tx.query('DELETE FROM assistant_tools WHERE assistant_id = $1', [id]);
