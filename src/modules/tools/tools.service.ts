import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import { Invalid, VALIDATION_FAILED } from '#src/common/errors/api-error.js';
import { recordCreatedId, type ClaimedKey } from '#src/http/idempotency/idempotency.service.js';
import { selectChangedColumns } from '#src/common/persistence/columns.js';
import { lockAccount } from '#src/common/persistence/locks.js';
import { EntitySelect } from '#src/common/persistence/entity-select.js';
import { SealedColumnsService } from '#src/secrets/sealed-columns.service.js';
import { SecretsService } from '#src/secrets/secrets.service.js';
import { changedFields } from '../audit/changed-fields.js';
import { AuditService } from '../audit/audit.service.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { fieldMessage } from '#src/common/validation/field-rules.js';
import { HEADER_MASK, type CreateToolDto, type UpdateToolDto } from './dto/tool-input.dto.js';
import { maskHeaders, toToolResponse, type OpenTool, type ToolResponse } from './dto/tool.response.js';
import { Tool } from './entities/tool.entity.js';
import type { ToolHeader } from './tool.types.js';
import { ToolLimitReached, ToolNotFound } from './tools.errors.js';

const DEFAULT_TIMEOUT_SECONDS = 10;
const PLACE = { table: 'tools', column: 'headers' };

@Injectable()
export class ToolsService implements OnModuleInit {
  private readonly ofUser: (values: unknown[]) => Promise<Tool[]>;
  private readonly ofUserById: (values: unknown[]) => Promise<Tool[]>;

  constructor(
    db: DataSource,
    @InjectRepository(Tool) private readonly tools: Repository<Tool>,
    private readonly accounts: AccountsService,
    private readonly secrets: SecretsService,
    private readonly columns: SealedColumnsService,
    private readonly audit: AuditService,
  ) {
    const select = new EntitySelect(db, Tool, 't');
    this.ofUser = select.prepareQuery('WHERE account_id = $1 ORDER BY created_at DESC, id DESC');
    this.ofUserById = select.prepareQuery('WHERE account_id = $1 AND id = ANY($2) ORDER BY id');
  }

  onModuleInit(): void {
    this.columns.register(this.tools, 'headers');
  }

  /** @param seesHeaders as of `maskHeaders` */
  async listTools(userId: number, seesHeaders: boolean): Promise<ToolResponse[]> {
    const tools = await this.openAll(await this.ofUser([userId]));
    return tools.map((tool) => maskHeaders(tool, seesHeaders));
  }

  /** @param seesHeaders as of `maskHeaders` */
  async showTool(userId: number, id: number, seesHeaders: boolean): Promise<ToolResponse> {
    return maskHeaders(await this.getTool(userId, id), seesHeaders);
  }

  /** With the values of all headers, as a call sends them. */
  async getTool(userId: number, id: number): Promise<ToolResponse> {
    return toToolResponse(await this.openTool(await this.find(userId, id)));
  }

  /** @throws ToolLimitReached, also for concurrent requests: they are counted under the account's lock. */
  async createTool(userId: number, dto: CreateToolDto, key: ClaimedKey | null = null): Promise<ToolResponse> {
    const made = key?.createdId && (await this.tools.findOneBy({ id: key.createdId, accountId: userId }));
    if (made) return this.toAnswer(await this.openTool(made));
    const input = unmasked(dto, null);
    const { plan } = await this.accounts.accountView(userId);
    return this.tools.manager.transaction(async (tx) => {
      await lockAccount(tx, userId);
      const count = await tx.countBy(Tool, { accountId: userId });
      if (count >= plan.maxTools) throw new ToolLimitReached(plan.maxTools);
      const { timeout = DEFAULT_TIMEOUT_SECONDS, schema = [], ...rest } = input;
      const { headers = [], ...columns } = toColumns({ ...rest, timeout, schema });
      // Encrypted with its id, which the row has from here on.
      const tool = await tx.save(Tool, { ...columns, accountId: userId, headers: '' });
      await this.storeHeaders(tx, tool, headers);
      await recordCreatedId(tx, key, tool.id);
      await this.audit.record(tx, { accountId: userId, action: 'tool.create', resourceId: tool.id });
      return this.toAnswer({ ...tool, headers });
    });
  }

  async updateTool(userId: number, id: number, dto: UpdateToolDto): Promise<ToolResponse> {
    return this.tools.manager.transaction(async (tx) => {
      // Locked, because `save` would insert a tool that is deleted meanwhile.
      const lock = { mode: 'pessimistic_write' } as const;
      const tool = await tx.findOne(Tool, { where: { id, accountId: userId }, lock });
      if (!tool) throw new ToolNotFound();
      const open = await this.openTool(tool);
      const changed = selectChangedColumns(toColumns(unmasked(dto, open)), open);
      if (Object.keys(changed).length === 0) return this.toAnswer(open);
      const { headers, ...columns } = changed;
      if (headers) await this.storeHeaders(tx, tool, headers);
      const saved = await tx.save(Object.assign(tool, columns));
      const fields = changedFields(changed);
      await this.audit.record(tx, { accountId: userId, action: 'tool.update', resourceId: id, fields });
      return this.toAnswer({ ...saved, headers: headers ?? open.headers });
    });
  }

  /** Also removes the tool from every assistant that has it. */
  async deleteTool(userId: number, id: number): Promise<void> {
    await this.tools.manager.transaction(async (tx) => {
      const { affected } = await tx.delete(Tool, { id, accountId: userId });
      if (!affected) throw new ToolNotFound();
      await this.audit.record(tx, { accountId: userId, action: 'tool.delete', resourceId: id });
    });
  }

  /** Those of the ids that are tools of the user, as an assistant holds and calls them. */
  async findTools(userId: number, ids: number[]): Promise<ToolResponse[]> {
    if (ids.length === 0) return [];
    return this.openAll(await this.ofUserById([userId, ids]));
  }

  async ownsTool(userId: number, id: number): Promise<boolean> {
    return this.tools.existsBy({ id, accountId: userId });
  }

  /** To a token with the scope `write`, as all that create and update have. */
  private toAnswer(tool: OpenTool): ToolResponse {
    return maskHeaders(toToolResponse(tool), true);
  }

  private async openAll(tools: readonly Tool[]): Promise<ToolResponse[]> {
    return (await Promise.all(tools.map((tool) => this.openTool(tool)))).map(toToolResponse);
  }

  private async openTool(tool: Tool): Promise<OpenTool> {
    const { id, accountId, headers } = tool;
    const text = await this.secrets.open({ ...PLACE, accountId, row: id }, headers);
    return { ...tool, headers: JSON.parse(text) as ToolHeader[] };
  }

  /** Sets them in `tool`, too. */
  private async storeHeaders(tx: EntityManager, tool: Tool, headers: ToolHeader[]): Promise<void> {
    const sealer = await this.secrets.sealerOf(tx, tool.accountId);
    tool.headers = sealer.seal({ ...PLACE, row: tool.id }, JSON.stringify(headers));
    await tx.update(Tool, { id: tool.id }, { headers: tool.headers });
  }

  private async find(userId: number, id: number): Promise<Tool> {
    const tool = await this.tools.findOneBy({ id, accountId: userId });
    if (!tool) throw new ToolNotFound();
    return tool;
  }
}

/**
 * With the stored values in place of masks: the nth header of a name keeps the value of the nth stored one, and stays
 * secret. A new host gets no value that its writer may never have seen.
 * @throws Invalid
 */
function unmasked<Dto extends UpdateToolDto>(dto: Dto, stored: OpenTool | null): Dto {
  const { headers, endpoint } = dto;
  const isMasked = headers?.some(({ value }) => value === HEADER_MASK) ?? false;
  const keepsSecrets = !headers && (stored?.headers.some(({ secret }) => secret) ?? false);
  if (!isMasked && !keepsSecrets) return dto;
  if (stored && endpoint !== undefined && originOf(endpoint) !== originOf(stored.endpoint))
    throw refused('headers', 'must have their values where the host of the endpoint changes');
  if (!headers) return dto;
  const left = [...(stored?.headers ?? [])];
  const values = headers.map(({ name, value, secret }, index) => {
    const at = left.findIndex((one) => one.name.toLowerCase() === name.toLowerCase());
    const [kept] = at < 0 ? [] : left.splice(at, 1);
    if (value !== HEADER_MASK) return { name, value, secret };
    if (!kept) throw refused(`headers.${index}.value`, 'must not be the mask: there is no value to keep');
    return { name, value: kept.value, secret: secret || kept.secret };
  });
  return { ...dto, headers: values };
}

const refused = (path: string, problem: string): Invalid =>
  new Invalid({ [path]: [fieldMessage(path.split('.').at(-1) ?? path, problem)] }, VALIDATION_FAILED);

const originOf = (endpoint: string): string => (URL.canParse(endpoint) ? new URL(endpoint).origin : endpoint);

/** The given fields, lists as they are stored. */
const toColumns = ({ headers, schema, ...fields }: UpdateToolDto): Partial<OpenTool> => ({
  ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
  ...(headers && {
    headers: headers.map(({ name, value, secret }) => ({ name, value, ...(secret && { secret }) })),
  }),
  ...(schema && {
    schema: schema.map(({ name, type, description }) => ({ name, type, description })),
  }),
});
