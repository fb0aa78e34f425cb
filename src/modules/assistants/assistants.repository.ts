import { Injectable } from '@nestjs/common';
import { DataSource, IsNull, type EntityManager, type QueryDeepPartialEntity } from 'typeorm';
import { noteMade, type ClaimedKey } from '#src/common/idempotency/idempotency.service.js';
import { Invalid, VALIDATION_FAILED } from '#src/common/errors/api-error.js';
import { offsetOf, type PageRequest } from '#src/common/pagination/page.js';
import { lockAccount } from '#src/common/persistence/locks.js';
import { PreparedInsert, PreparedQuery } from '#src/common/persistence/prepared-query.js';
import { PreparedSelect } from '#src/common/persistence/prepared-select.js';
import { selectedInvalidMessage } from '#src/common/validation/field-rules.js';
import { PlanLimitReached } from '../accounts/accounts.errors.js';
import { MAX_COUNT } from '../accounts/plans.service.js';
import type { AssistantType } from './assistant.types.js';
import { Assistant } from './entities/assistant.entity.js';

const LIVE = 'account_id = $1 AND deleted_at IS NULL AND ($2::text IS NULL OR type = $2)';
const ORDER = 'ORDER BY created_at DESC, id DESC';
const NEWEST_FIRST = `WHERE ${LIVE} ${ORDER}`;

/** Writes assistants with their tools, and lists those of a user, newest first. */
@Injectable()
export class AssistantsRepository {
  private readonly insert: PreparedInsert<Assistant>;
  private readonly insertIfUnlimited: PreparedInsert<Assistant>;
  private readonly selectAllIds: PreparedQuery<{ id: number }>;
  private readonly selectPageIds: PreparedQuery<{ id: number }>;
  private readonly selectPage: (values: unknown[]) => Promise<(Assistant & { total: number })[]>;
  private readonly selectByIds: (values: unknown[]) => Promise<Assistant[]>;
  private readonly selectCount: PreparedQuery<{ count: number }>;

  constructor(private readonly db: DataSource) {
    this.insert = new PreparedInsert(db, Assistant);
    this.insertIfUnlimited = new PreparedInsert(db, Assistant, (parameterOf) => {
      const account = parameterOf('accountId');
      return `WHERE EXISTS (SELECT FROM account_plans WHERE account_id = ${account} AND max_assistants >= ${MAX_COUNT})`;
    });
    const select = new PreparedSelect(db, Assistant, 'a');
    const ids = `SELECT id FROM assistants ${NEWEST_FIRST}`;
    this.selectAllIds = new PreparedQuery(db, ids);
    this.selectPageIds = new PreparedQuery(db, `${ids} LIMIT $3 OFFSET $4`);
    const count = `SELECT count(*)::int AS count FROM assistants WHERE ${LIVE}`;
    this.selectPage = select.prepare<{ total: number }>(
      `${NEWEST_FIRST} LIMIT $3 OFFSET $4`,
      `(${count}) AS total`,
    );
    this.selectByIds = select.prepare(
      `WHERE account_id = $1 AND deleted_at IS NULL AND id = ANY($2) ${ORDER}`,
    );
    this.selectCount = new PreparedQuery(db, count);
  }

  async ids(userId: number, type: AssistantType | null): Promise<number[]> {
    return (await this.selectAllIds.run([userId, type])).map(({ id }) => id);
  }

  async pageIds(userId: number, type: AssistantType | null, request: PageRequest): Promise<number[]> {
    const rows = await this.selectPageIds.run([userId, type, request.per_page, offsetOf(request)]);
    return rows.map(({ id }) => id);
  }

  /** With the number of assistants of all pages, in one statement unless the page is empty. */
  async page(
    userId: number,
    type: AssistantType | null,
    request: PageRequest,
  ): Promise<{ assistants: Assistant[]; total: number }> {
    const assistants = await this.selectPage([userId, type, request.per_page, offsetOf(request)]);
    return { assistants, total: assistants[0]?.total ?? (await this.countAssistants(userId, type)) };
  }

  /** Those that are not deleted. */
  byIds(userId: number, ids: number[]): Promise<Assistant[]> {
    return this.selectByIds([userId, ids]);
  }

  async countAssistants(userId: number, type: AssistantType | null): Promise<number> {
    const [row] = await this.selectCount.run([userId, type]);
    return row?.count ?? 0;
  }

  /**
   * Sets the id of an assistant without tools, where the plan has no limit: one statement, which reads the plan and
   * needs no transaction around it.
   * @returns false: the plan has a limit, nothing was written.
   * @throws Invalid
   */
  async insertUnlimited(assistant: Assistant): Promise<boolean> {
    const id = await withFieldErrors(() => this.insertIfUnlimited.run(assistant));
    if (id !== null) assistant.id = id;
    return id !== null;
  }

  /**
   * Sets the id of the assistant.
   * @param limit of the account's assistants, null: none.
   * @throws Invalid, PlanLimitReached, also for concurrent requests
   */
  async insertAssistant(
    assistant: Assistant,
    toolIds: number[],
    limit: number | null,
    key: ClaimedKey | null,
  ): Promise<void> {
    const write = async (tx: EntityManager): Promise<void> => {
      if (limit !== null) await requireRoom(tx, assistant.accountId, limit);
      const id = await this.insert.run(assistant, tx);
      if (id === null) throw new Error('The insert returned no row');
      assistant.id = id;
      await attach(tx, id, toolIds);
      await noteMade(tx, key, id);
    };
    await withFieldErrors(() => this.db.transaction(write));
  }

  /**
   * Writes the given columns only, so that concurrent updates of different ones are both kept; without a change
   * nothing, not even the time of the update.
   * @param toolIds undefined: the attached tools stay.
   * @param change gets the assistant as it is and returns what to write; what it throws undoes the update.
   * @returns null when there is no such assistant.
   * @throws Invalid
   */
  async updateAssistant(
    userId: number,
    id: number,
    toolIds: number[] | undefined,
    change: (current: Assistant) => Partial<Assistant>,
  ): Promise<Assistant | null> {
    const write = async (tx: EntityManager): Promise<Assistant | null> => {
      const where = { id, accountId: userId };
      const current = await tx.findOne(Assistant, { where, lock: { mode: 'for_no_key_update' } });
      if (!current) return null;
      const columns = change(current);
      const changesTools = toolIds !== undefined && !isSameSet(toolIds, current.toolIds);
      if (!changesTools && Object.keys(columns).length === 0) return current;
      // The library's type does not allow free-form JSON. Without a column it writes the time of the update.
      await tx.update(Assistant, { id }, columns as QueryDeepPartialEntity<Assistant>);
      if (changesTools) {
        await detachAll(tx, id);
        await attach(tx, id, toolIds);
      }
      return Object.assign(current, columns);
    };
    return withFieldErrors(() => this.db.transaction(write));
  }

  /**
   * Keeps the row, to which calls refer; releases its number and its tools.
   * @returns false when there is no such assistant.
   */
  async deleteAssistant(userId: number, id: number): Promise<boolean> {
    return this.db.transaction(async (tx) => {
      const live = { id, accountId: userId, deletedAt: IsNull() };
      const { affected } = await tx.update(Assistant, live, { deletedAt: new Date(), phoneNumberId: null });
      if (affected) await detachAll(tx, id);
      return Boolean(affected);
    });
  }
}

const isSameSet = (one: number[], other: number[]): boolean =>
  one.length === other.length && one.every((id) => other.includes(id));

/** Counts under the account's lock. */
async function requireRoom(tx: EntityManager, accountId: number, limit: number): Promise<void> {
  await lockAccount(tx, accountId);
  if ((await tx.countBy(Assistant, { accountId })) >= limit) throw new PlanLimitReached(limit, 'assistants');
}

const attach = (tx: EntityManager, id: number, toolIds: number[]): Promise<unknown> =>
  tx.query('INSERT INTO assistant_tools (assistant_id, tool_id) SELECT $1, unnest($2::int[])', [id, toolIds]);

const detachAll = (tx: EntityManager, id: number): Promise<unknown> =>
  tx.query('DELETE FROM assistant_tools WHERE assistant_id = $1', [id]);

/** Violations by concurrent requests, which only the database detects. */
const FIELD_OF: Record<string, string> = {
  assistants_inbound_number: 'phone_number_id',
  assistants_phone_number_id_fkey: 'phone_number_id',
  assistant_tools_tool_id_fkey: 'tool_ids',
};

/** Runs a write and turns a violated database constraint into an error of the field. */
async function withFieldErrors<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const field = FIELD_OF[constraintOf(error) ?? ''];
    if (field) throw new Invalid({ [field]: [selectedInvalidMessage(field)] }, VALIDATION_FAILED);
    throw error;
  }
}

/** Name of the constraint that a database error is about. */
function constraintOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('driverError' in error)) return null;
  const { driverError } = error;
  if (typeof driverError !== 'object' || driverError === null || !('constraint' in driverError)) return null;
  return typeof driverError.constraint === 'string' ? driverError.constraint : null;
}
