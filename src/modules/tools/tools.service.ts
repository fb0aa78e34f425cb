import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import { Invalid, VALIDATION_FAILED } from '#src/common/errors/api-error.js';
import { recordCreatedId, type ClaimedKey } from '#src/http/idempotency/idempotency.service.js';
import { selectChangedColumns } from '#src/common/persistence/columns.js';
import { lockAccount } from '#src/common/persistence/locks.js';
import { EntitySelect } from '#src/common/persistence/entity-select.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { fieldMessage } from '#src/common/validation/field-rules.js';
import { HEADER_MASK, type CreateToolDto, type UpdateToolDto } from './dto/tool-input.dto.js';
import { maskHeaders, toToolResponse, type ToolResponse } from './dto/tool.response.js';
import { Tool } from './entities/tool.entity.js';
import { ToolLimitReached, ToolNotFound } from './tools.errors.js';

const DEFAULT_TIMEOUT_SECONDS = 10;

@Injectable()
export class ToolsService {
  private readonly ofUser: (values: unknown[]) => Promise<Tool[]>;
  private readonly ofUserById: (values: unknown[]) => Promise<Tool[]>;

  constructor(
    db: DataSource,
    @InjectRepository(Tool) private readonly tools: Repository<Tool>,
    private readonly accounts: AccountsService,
  ) {
    const select = new EntitySelect(db, Tool, 't');
    this.ofUser = select.prepareQuery('WHERE account_id = $1 ORDER BY created_at DESC, id DESC');
    this.ofUserById = select.prepareQuery('WHERE account_id = $1 AND id = ANY($2) ORDER BY id');
  }

  /** @param seesHeaders whether with the values of headers */
  async listTools(userId: number, seesHeaders: boolean): Promise<ToolResponse[]> {
    const tools = (await this.ofUser([userId])).map(toToolResponse);
    return seesHeaders ? tools : tools.map(maskHeaders);
  }

  /** @param seesHeaders whether with the values of headers */
  async showTool(userId: number, id: number, seesHeaders: boolean): Promise<ToolResponse> {
    const tool = await this.getTool(userId, id);
    return seesHeaders ? tool : maskHeaders(tool);
  }

  async getTool(userId: number, id: number): Promise<ToolResponse> {
    return toToolResponse(await this.find(userId, id));
  }

  /** @throws ToolLimitReached, also for concurrent requests: they are counted under the account's lock. */
  async createTool(userId: number, dto: CreateToolDto, key: ClaimedKey | null = null): Promise<ToolResponse> {
    const made = key?.createdId && (await this.tools.findOneBy({ id: key.createdId, accountId: userId }));
    if (made) return toToolResponse(made);
    const input = unmasked(dto, null);
    const { plan } = await this.accounts.accountView(userId);
    return this.tools.manager.transaction(async (tx) => {
      await lockAccount(tx, userId);
      const count = await tx.countBy(Tool, { accountId: userId });
      if (count >= plan.maxTools) throw new ToolLimitReached(plan.maxTools);
      const { timeout = DEFAULT_TIMEOUT_SECONDS, headers = [], schema = [], ...rest } = input;
      const tool = await tx.save(Tool, { ...rest, accountId: userId, timeout, headers, schema });
      await recordCreatedId(tx, key, tool.id);
      return toToolResponse(tool);
    });
  }

  async updateTool(userId: number, id: number, dto: UpdateToolDto): Promise<ToolResponse> {
    return this.tools.manager.transaction(async (tx) => {
      // Locked, because `save` would insert a tool that is deleted meanwhile.
      const lock = { mode: 'pessimistic_write' } as const;
      const tool = await tx.findOne(Tool, { where: { id, accountId: userId }, lock });
      if (!tool) throw new ToolNotFound();
      const columns = selectChangedColumns(toColumns(unmasked(dto, tool)), tool);
      if (Object.keys(columns).length === 0) return toToolResponse(tool);
      return toToolResponse(await tx.save(Object.assign(tool, columns)));
    });
  }

  /** Also removes the tool from every assistant that has it. */
  async deleteTool(userId: number, id: number): Promise<void> {
    const { affected } = await this.tools.delete({ id, accountId: userId });
    if (!affected) throw new ToolNotFound();
  }

  /** Those of the ids that are tools of the user, as an assistant holds and calls them. */
  async findTools(userId: number, ids: number[]): Promise<ToolResponse[]> {
    if (ids.length === 0) return [];
    return (await this.ofUserById([userId, ids])).map(toToolResponse);
  }

  async ownsTool(userId: number, id: number): Promise<boolean> {
    return this.tools.existsBy({ id, accountId: userId });
  }

  private async find(userId: number, id: number): Promise<Tool> {
    const tool = await this.tools.findOneBy({ id, accountId: userId });
    if (!tool) throw new ToolNotFound();
    return tool;
  }
}

/**
 * With the stored values in place of masks: the nth header of a name keeps the value of the nth stored one. A new host
 * gets no value that its writer may never have seen.
 * @throws Invalid
 */
function unmasked<Dto extends UpdateToolDto>(dto: Dto, stored: Tool | null): Dto {
  const { headers, endpoint } = dto;
  if (!headers?.some(({ value }) => value === HEADER_MASK)) return dto;
  if (stored && endpoint !== undefined && originOf(endpoint) !== originOf(stored.endpoint))
    throw refused('headers', 'must have their values where the host of the endpoint changes');
  const left = [...(stored?.headers ?? [])];
  const values = headers.map(({ name, value }, index) => {
    const at = left.findIndex((one) => one.name.toLowerCase() === name.toLowerCase());
    const [kept] = at < 0 ? [] : left.splice(at, 1);
    if (value !== HEADER_MASK) return { name, value };
    if (!kept) throw refused(`headers.${index}.value`, 'must not be the mask: there is no value to keep');
    return { name, value: kept.value };
  });
  return { ...dto, headers: values };
}

const refused = (path: string, problem: string): Invalid =>
  new Invalid({ [path]: [fieldMessage(path.split('.').at(-1) ?? path, problem)] }, VALIDATION_FAILED);

const originOf = (endpoint: string): string => (URL.canParse(endpoint) ? new URL(endpoint).origin : endpoint);

/** The given fields, lists as they are stored. */
const toColumns = ({ headers, schema, ...fields }: UpdateToolDto): Partial<Tool> => ({
  ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
  ...(headers && { headers: headers.map(({ name, value }) => ({ name, value })) }),
  ...(schema && {
    schema: schema.map(({ name, type, description }) => ({ name, type, description })),
  }),
});
