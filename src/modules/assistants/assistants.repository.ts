import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, type FindOptionsWhere, type QueryDeepPartialEntity } from 'typeorm';
import { recordCreatedId, type ClaimedKey } from '#src/http/idempotency/idempotency.service.js';
import { pageOffset, type PageRequest } from '#src/http/pagination/page.js';
import { lockAccount } from '#src/common/persistence/locks.js';
import { EntityInsert } from '#src/common/persistence/entity-insert.js';
import { EntitySelect } from '#src/common/persistence/entity-select.js';
import { DomainEventsService } from '#src/events/domain-events.service.js';
import { AuditService, SYSTEM } from '../audit/audit.service.js';
import { changedFields } from '../audit/changed-fields.js';
import { PlanLimitReached } from '../accounts/accounts.errors.js';
import { MAX_PLAN_LIMIT } from '../accounts/plans.service.js';
import { withFieldErrors } from './assistant-constraints.js';
import { WebhooksRedirected } from './assistant-events.js';
import type { AttachedIds } from './assistant-input.js';
import { toAssistantWebhooks } from './assistant-view.js';
import type { AssistantType } from './assistant.types.js';
import { Assistant } from './entities/assistant.entity.js';
import { WEBHOOK_COLUMNS, type WebhookColumn } from './webhook-columns.js';
import { hasRedirectedWebhook } from './webhook-targets.js';

/** What an update or a deletion did. */
export interface AssistantChange {
  assistant: Assistant;
  /** Requests of a webhook go elsewhere, or nowhere. */
  redirected: boolean;
}

/** Null: all. */
export interface AssistantFilter {
  type: AssistantType | null;
  folderId: number | null;
  labelId: number | null;
}

const valuesOf = (userId: number, { type, folderId, labelId }: AssistantFilter): unknown[] => [
  userId,
  type,
  folderId,
  labelId,
];

const LIVE = `account_id = $1 AND deleted_at IS NULL AND ($2::text IS NULL OR type = $2)
  AND ($3::int IS NULL OR folder_id = $3)
  AND ($4::int IS NULL OR EXISTS (SELECT FROM assistant_labels WHERE assistant_id = a.id AND label_id = $4))`;
const ORDER = 'ORDER BY created_at DESC, id DESC';
const NEWEST_FIRST = `WHERE ${LIVE} ${ORDER}`;
const IDS = `SELECT id FROM assistants a ${NEWEST_FIRST}`;
const COUNT = `SELECT count(*)::int AS count FROM assistants a WHERE ${LIVE}`;

/** Writes assistants with their tools, and lists those of a user, newest first. */
@Injectable()
export class AssistantsRepository {
  private readonly insert: EntityInsert<Assistant>;
  private readonly insertIfUnlimited: EntityInsert<Assistant>;
  private readonly selectPage: (values: unknown[]) => Promise<(Assistant & { total: number })[]>;
  private readonly selectByIds: (values: unknown[]) => Promise<Assistant[]>;
  private readonly selectWebhooks: (values: unknown[]) => Promise<Pick<Assistant, WebhookColumn>[]>;

  constructor(
    private readonly db: DataSource,
    private readonly events: DomainEventsService,
    private readonly audit: AuditService,
  ) {
    this.insert = new EntityInsert(db, Assistant);
    this.insertIfUnlimited = new EntityInsert(db, Assistant, (parameterOf) => {
      const account = parameterOf('accountId');
      return `WHERE EXISTS (SELECT FROM account_plans WHERE account_id = ${account} AND max_assistants >= ${MAX_PLAN_LIMIT})`;
    });
    const select = new EntitySelect(db, Assistant, 'a');
    this.selectPage = select.prepareQuery<{ total: number }>(
      `${NEWEST_FIRST} LIMIT $5 OFFSET $6`,
      `(${COUNT}) AS total`,
    );
    this.selectByIds = select.prepareQuery(
      `WHERE account_id = $1 AND deleted_at IS NULL AND id = ANY($2) ${ORDER}`,
    );
    this.selectWebhooks = new EntitySelect<Assistant, WebhookColumn>(
      db,
      Assistant,
      'a',
      WEBHOOK_COLUMNS,
    ).prepareQuery('WHERE id = ANY($1) AND deleted_at IS NULL');
  }

  async findIds(userId: number, filter: AssistantFilter): Promise<number[]> {
    const rows: { id: number }[] = await this.db.query(IDS, valuesOf(userId, filter));
    return rows.map(({ id }) => id);
  }

  async findPageIds(userId: number, filter: AssistantFilter, request: PageRequest): Promise<number[]> {
    const limits = [request.per_page, pageOffset(request)];
    const rows: { id: number }[] = await this.db.query(`${IDS} LIMIT $5 OFFSET $6`, [
      ...valuesOf(userId, filter),
      ...limits,
    ]);
    return rows.map(({ id }) => id);
  }

  /** With the number of assistants of all pages, in one statement unless the page is empty. */
  async findPage(
    userId: number,
    filter: AssistantFilter,
    request: PageRequest,
  ): Promise<{ assistants: Assistant[]; total: number }> {
    const limits = [request.per_page, pageOffset(request)];
    const assistants = await this.selectPage([...valuesOf(userId, filter), ...limits]);
    return { assistants, total: assistants[0]?.total ?? (await this.countAssistants(userId, filter)) };
  }

  /** Assistants that are not deleted. */
  findByIds(userId: number, ids: number[]): Promise<Assistant[]> {
    return this.selectByIds([userId, ids]);
  }

  /** Their webhook settings, without those of deleted ones. */
  findWebhooksByIds(ids: readonly number[]): Promise<Pick<Assistant, WebhookColumn>[]> {
    return this.selectWebhooks([[...new Set(ids)]]);
  }

  async countAssistants(userId: number, filter: AssistantFilter): Promise<number> {
    const [row]: { count: number }[] = await this.db.query(COUNT, valuesOf(userId, filter));
    return row?.count ?? 0;
  }

  /**
   * Sets the id of an assistant without tools and labels, where the plan has no limit: the statement reads the plan and
   * needs no lock.
   * @returns false: the plan has a limit, nothing was written.
   * @throws Invalid
   */
  async insertWithoutPlanLimit(assistant: Assistant): Promise<boolean> {
    return withFieldErrors(() =>
      this.audit.change(async (tx, record) => {
        const id = await this.insertIfUnlimited.insertRow(assistant, tx);
        if (id === null) return false;
        assistant.id = id;
        record({ accountId: assistant.accountId, action: 'assistant.create', resourceId: id });
        return true;
      }),
    );
  }

  /**
   * Sets the id of the assistant.
   * @param limit of the account's assistants, null: none.
   * @throws Invalid, PlanLimitReached, also for concurrent requests
   */
  async insertAssistant(
    assistant: Assistant,
    attached: AttachedIds,
    limit: number | null,
    key: ClaimedKey | null,
  ): Promise<void> {
    const write = async (tx: EntityManager): Promise<void> => {
      if (limit !== null) await requireRoom(tx, assistant.accountId, limit);
      const id = await this.insert.insertRow(assistant, tx);
      if (id === null) throw new Error('The insert returned no row');
      assistant.id = id;
      for (const link of LINKS) await link.attach(tx, id, attached[link.ids] ?? []);
      await recordCreatedId(tx, key, id);
      const { accountId } = assistant;
      await this.audit.record(tx, { accountId, action: 'assistant.create', resourceId: id });
    };
    await withFieldErrors(() => this.db.transaction(write));
  }

  /**
   * Writes the given columns only, so that concurrent updates of different ones are both kept; without a change
   * nothing, not even the time of the update.
   * @param change gets the assistant as it is and returns what to write; what it throws undoes the update.
   * @returns null when there is no such assistant.
   * @throws Invalid
   */
  async updateAssistant(
    userId: number,
    id: number,
    attached: AttachedIds,
    change: (current: Assistant) => Partial<Assistant>,
  ): Promise<AssistantChange | null> {
    const write = async (tx: EntityManager): Promise<AssistantChange | null> => {
      const current = await this.lockAssistant(tx, userId, id);
      if (!current) return null;
      const columns = change(current);
      const changed = LINKS.filter(({ ids }) => attached[ids] && !isSameSet(attached[ids], current[ids]));
      if (changed.length === 0 && Object.keys(columns).length === 0)
        return { assistant: current, redirected: false };
      // The library's type does not allow free-form JSON. Without a column it writes the time of the update.
      await tx.update(Assistant, { id }, columns as QueryDeepPartialEntity<Assistant>);
      for (const { ids, detachAll, attach } of changed) {
        await detachAll(tx, id);
        await attach(tx, id, attached[ids] ?? []);
      }
      const after = { ...current, ...columns };
      const redirected = await this.publishRedirection(tx, current, after);
      const fields = changedFields({
        ...columns,
        ...Object.fromEntries(changed.map(({ ids }) => [ids, true])),
      });
      const details = { status: columns.status };
      await this.audit.record(tx, {
        accountId: userId,
        action: 'assistant.update',
        resourceId: id,
        fields,
        details,
      });
      return { assistant: after, redirected };
    };
    return withFieldErrors(() => this.db.transaction(write));
  }

  /**
   * Keeps the row, to which calls refer; releases its number, its tools, its folder, its labels and its
   * knowledge base.
   * @returns null when there is no such assistant.
   */
  async deleteAssistant(userId: number, id: number): Promise<AssistantChange | null> {
    return this.db.transaction(async (tx) => {
      const assistant = await this.lockAssistant(tx, userId, id);
      if (!assistant) return null;
      const released = { phoneNumberId: null, folderId: null, knowledgebaseId: null };
      await tx.update(Assistant, { id }, { deletedAt: new Date(), ...released });
      for (const { detachAll } of LINKS) await detachAll(tx, id);
      const redirected = await this.publishRedirection(tx, assistant, null);
      await this.audit.record(tx, { accountId: userId, action: 'assistant.delete', resourceId: id });
      return { assistant, redirected };
    });
  }

  /** Of a receiver that is gone, while the assistant still has its URL. */
  async clearWebhook(
    id: number,
    where: FindOptionsWhere<Assistant>,
    columns: Partial<Assistant>,
  ): Promise<void> {
    await this.audit.change(async (tx, record) => {
      const lock = { mode: 'for_no_key_update' } as const;
      const assistant = await tx.findOne(Assistant, { where: { ...where, id }, lock });
      if (!assistant) return;
      await tx.update(Assistant, { id }, columns as QueryDeepPartialEntity<Assistant>);
      const fields = changedFields(columns);
      const entry = { accountId: assistant.accountId, resourceId: id, fields, actor: SYSTEM };
      record({ ...entry, action: 'assistant.update', details: { reason: 'receiver_gone' } });
    });
  }

  private lockAssistant(tx: EntityManager, userId: number, id: number): Promise<Assistant | null> {
    const where = { id, accountId: userId };
    return tx.findOne(Assistant, { where, lock: { mode: 'for_no_key_update' } });
  }

  /** @param after null: it is deleted */
  private async publishRedirection(
    tx: EntityManager,
    before: Assistant,
    after: Assistant | null,
  ): Promise<boolean> {
    const redirected = hasRedirectedWebhook(toAssistantWebhooks(before), after && toAssistantWebhooks(after));
    const { id: assistantId, accountId } = before;
    if (redirected) await this.events.publish(tx, WebhooksRedirected, { assistantId, accountId });
    return redirected;
  }
}

const isSameSet = (one: number[], other: number[]): boolean =>
  one.length === other.length && one.every((id) => other.includes(id));

/** Counts under the account's lock. */
async function requireRoom(tx: EntityManager, accountId: number, limit: number): Promise<void> {
  await lockAccount(tx, accountId);
  if ((await tx.countBy(Assistant, { accountId })) >= limit) throw new PlanLimitReached(limit, 'assistants');
}

/** Tables with the tools and labels of assistants, and the property with their ids. */
const LINKS = (
  [
    ['toolIds', 'assistant_tools', 'tool_id'],
    ['labelIds', 'assistant_labels', 'label_id'],
  ] as const
).map(([ids, table, column]) => ({
  ids,
  attach: async (tx: EntityManager, id: number, added: number[]): Promise<void> => {
    if (added.length === 0) return;
    await tx.query(`INSERT INTO ${table} (assistant_id, ${column}) SELECT $1, unnest($2::int[])`, [
      id,
      added,
    ]);
  },
  detachAll: async (tx: EntityManager, id: number): Promise<void> => {
    await tx.query(`DELETE FROM ${table} WHERE assistant_id = $1`, [id]);
  },
}));
