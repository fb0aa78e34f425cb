import { Injectable } from '@nestjs/common';
import { DataSource, IsNull, type EntityManager, type QueryDeepPartialEntity } from 'typeorm';
import { lockAccount } from '#src/common/persistence/lock-account.js';
import { waitForSenders } from '#src/common/persistence/send-gate.js';
import { RowInsert } from '#src/common/persistence/row-insert.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { PlanLimitReached } from '../accounts/accounts.errors.js';
import { MAX_COUNT } from '../accounts/plans.service.js';
import { tellingConflicts } from './assistant-conflicts.js';
import { ASSISTANT_DEFAULTS } from './assistant-defaults.js';
import { judge } from './assistant-draft.js';
import { AssistantDrafts } from './assistant-drafts.service.js';
import { AssistantNotFound } from './assistants.errors.js';
import { toAssistantSummary, type AssistantSummaryResponse } from './dto/assistant-summary.response.js';
import type { CreateAssistantDto } from './dto/create-assistant.dto.js';
import type { UpdateAssistantDto } from './dto/update-assistant.dto.js';
import { Assistant } from './entities/assistant.entity.js';

/** Creates, changes and deletes assistants. */
@Injectable()
export class AssistantEditor {
  private readonly insert: RowInsert<Assistant>;

  constructor(
    private readonly db: DataSource,
    private readonly accounts: AccountsService,
    private readonly drafts: AssistantDrafts,
  ) {
    this.insert = new RowInsert(db, Assistant);
  }

  /** @throws Invalid, PlanLimitReached: also when several are created at once */
  async create(userId: number, dto: CreateAssistantDto): Promise<AssistantSummaryResponse> {
    const [draft, { plan }] = await Promise.all([this.drafts.read(userId, dto), this.accounts.view(userId)]);
    const assistant = Object.assign(new Assistant(), ASSISTANT_DEFAULTS, draft.columns, {
      accountId: userId,
    });
    judge(draft, assistant);
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

  /** Writes the given fields only, so that two updates at once of different fields both count. */
  async update(userId: number, id: number, dto: UpdateAssistantDto): Promise<AssistantSummaryResponse> {
    // Before the transaction: a look-up inside it would ask the pool for a second connection.
    const draft = await this.drafts.read(userId, dto);
    const write = async (tx: EntityManager): Promise<Assistant> => {
      const where = { id, accountId: userId };
      const current = await tx.findOne(Assistant, { where, lock: { mode: 'for_no_key_update' } });
      if (!current) throw new AssistantNotFound();
      const after = Object.assign(current, draft.columns);
      judge(draft, after);
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
    if (webhookUrl !== undefined || isWebhookActive !== undefined) await waitForSenders(this.db.manager, id);
    return toAssistantSummary(after);
  }

  /** The row stays for the calls that were made; its number and its tools are free again. */
  async delete(userId: number, id: number): Promise<void> {
    await this.db.transaction(async (tx) => {
      const live = { id, accountId: userId, deletedAt: IsNull() };
      const { affected } = await tx.update(Assistant, live, { deletedAt: new Date(), phoneNumberId: null });
      if (!affected) throw new AssistantNotFound();
      await detachAll(tx, id);
    });
    await waitForSenders(this.db.manager, id);
  }
}

/** The account's lock lets those who count go one by one. */
async function requireRoom(tx: EntityManager, accountId: number, limit: number): Promise<void> {
  await lockAccount(tx, accountId);
  if ((await tx.countBy(Assistant, { accountId })) >= limit) throw new PlanLimitReached(limit, 'assistants');
}

const attach = (tx: EntityManager, id: number, toolIds: number[]): Promise<unknown> =>
  tx.query('INSERT INTO assistant_tools (assistant_id, tool_id) SELECT $1, unnest($2::int[])', [id, toolIds]);

const detachAll = (tx: EntityManager, id: number): Promise<unknown> =>
  tx.query('DELETE FROM assistant_tools WHERE assistant_id = $1', [id]);
