import { Injectable } from '@nestjs/common';
import { DataSource, IsNull, type EntityManager, type QueryDeepPartialEntity } from 'typeorm';
import { lockAccount, drainSendLocks } from '#src/common/persistence/locks.js';
import { PreparedInsert } from '#src/common/persistence/prepared-query.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { PlanLimitReached } from '../accounts/accounts.errors.js';
import { MAX_COUNT } from '../accounts/plans.service.js';
import { tellingConflicts, assertValid, AssistantInputService } from './assistant-input.service.js';
import { ASSISTANT_DEFAULTS } from './assistant-defaults.js';
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
    private readonly accounts: AccountsService,
    private readonly inputs: AssistantInputService,
  ) {
    this.insert = new PreparedInsert(db, Assistant);
  }

  /** @throws Invalid, PlanLimitReached, also for concurrent requests */
  async createAssistant(userId: number, dto: CreateAssistantDto): Promise<AssistantSummaryResponse> {
    const [draft, { plan }] = await Promise.all([
      this.inputs.readInput(userId, dto),
      this.accounts.view(userId),
    ]);
    const assistant = Object.assign(new Assistant(), ASSISTANT_DEFAULTS, draft.columns, {
      accountId: userId,
    });
    assertValid(draft, assistant);
    const { toolIds = [] } = draft;
    const isCounted = plan.maxAssistants < MAX_COUNT;
    const write = async (tx?: EntityManager): Promise<void> => {
      if (tx && isCounted) await requireRoom(tx, userId, plan.maxAssistants);
      assistant.id = await this.insert.run(assistant, tx);
      if (tx) await attach(tx, assistant.id, toolIds);
    };
    // One statement needs no transaction around it.
    await tellingConflicts(() => (isCounted || toolIds.length > 0 ? this.db.transaction(write) : write()));
    return toAssistantSummary(assistant);
  }

  /** Writes the given fields only, so that concurrent updates of different fields are both kept. */
  async updateAssistant(
    userId: number,
    id: number,
    dto: UpdateAssistantDto,
  ): Promise<AssistantSummaryResponse> {
    // Before the transaction: a look-up inside it would take a second connection from the pool.
    const draft = await this.inputs.readInput(userId, dto);
    const write = async (tx: EntityManager): Promise<Assistant> => {
      const where = { id, accountId: userId };
      const current = await tx.findOne(Assistant, { where, lock: { mode: 'for_no_key_update' } });
      if (!current) throw new AssistantNotFound();
      const after = Object.assign(current, draft.columns);
      assertValid(draft, after);
      // The library's type does not allow free-form JSON.
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

  /** Keeps the row, to which calls refer; releases its number and its tools. */
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

/** Counts under the account's lock. */
async function requireRoom(tx: EntityManager, accountId: number, limit: number): Promise<void> {
  await lockAccount(tx, accountId);
  if ((await tx.countBy(Assistant, { accountId })) >= limit) throw new PlanLimitReached(limit, 'assistants');
}

const attach = (tx: EntityManager, id: number, toolIds: number[]): Promise<unknown> =>
  tx.query('INSERT INTO assistant_tools (assistant_id, tool_id) SELECT $1, unnest($2::int[])', [id, toolIds]);

const detachAll = (tx: EntityManager, id: number): Promise<unknown> =>
  tx.query('DELETE FROM assistant_tools WHERE assistant_id = $1', [id]);
