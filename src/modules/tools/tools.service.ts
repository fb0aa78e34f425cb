import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import { lockAccount } from '#src/common/persistence/locks.js';
import { PreparedSelect } from '#src/common/persistence/prepared-select.js';
import { AccountsService } from '../accounts/accounts.service.js';
import type { CreateToolDto, UpdateToolDto } from './dto/tool-input.dto.js';
import { toToolResponse, type ToolResponse } from './dto/tool.response.js';
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
    const select = new PreparedSelect(db, Tool, 't');
    this.ofUser = select.prepare('WHERE account_id = $1 ORDER BY created_at DESC, id DESC');
    this.ofUserById = select.prepare('WHERE account_id = $1 AND id = ANY($2) ORDER BY id');
  }

  async listTools(userId: number): Promise<ToolResponse[]> {
    return (await this.ofUser([userId])).map(toToolResponse);
  }

  async getTool(userId: number, id: number): Promise<ToolResponse> {
    return toToolResponse(await this.find(userId, id));
  }

  /** @throws ToolLimitReached, also for concurrent requests: they are counted under the account's lock. */
  async createTool(userId: number, dto: CreateToolDto): Promise<ToolResponse> {
    const { plan } = await this.accounts.view(userId);
    return this.tools.manager.transaction(async (tx) => {
      await lockAccount(tx, userId);
      const count = await tx.countBy(Tool, { accountId: userId });
      if (count >= plan.maxTools) throw new ToolLimitReached(plan.maxTools);
      const { timeout = DEFAULT_TIMEOUT_SECONDS, headers = [], schema = [], ...rest } = dto;
      return toToolResponse(await tx.save(Tool, { ...rest, accountId: userId, timeout, headers, schema }));
    });
  }

  async updateTool(userId: number, id: number, dto: UpdateToolDto): Promise<ToolResponse> {
    const tool = await this.find(userId, id);
    return toToolResponse(await this.tools.save(Object.assign(tool, dto)));
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
