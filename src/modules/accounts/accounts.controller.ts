import { Controller, Get, Query } from '@nestjs/common';
import { ApiResource, Endpoint } from '#src/http/endpoint.decorator.js';
import type { Page } from '#src/http/pagination/page.js';
import type { DataResult } from '#src/http/message.response.js';
import type { TokenGrant } from '#src/auth/access-tokens.service.js';
import { RequestGrant, UserId } from '#src/auth/auth.decorators.js';
import { AccountsService } from './accounts.service.js';
import { ConsoleService } from './console.service.js';
import { ConsoleResponse } from './dto/console.response.js';
import { DailyBalancesDto, ListLedgerDto } from './dto/accounts.dto.js';
import { DailyBalancesResponse, LedgerEntryResponse, MeResponse } from './dto/accounts.response.js';
import { LedgerHistoryService } from './ledger-history.service.js';

@ApiResource('Account')
@Controller('user')
export class AccountsController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly history: LedgerHistoryService,
    private readonly console: ConsoleService,
  ) {}

  @Get('me')
  @Endpoint({ summary: 'The account and its balance', body: MeResponse })
  getMe(@UserId() userId: number): Promise<MeResponse> {
    return this.accounts.getMe(userId);
  }

  @Get('console')
  @Endpoint({
    summary: 'What a console has to know: carrier, currency, time zone, plan, and the scopes of the token',
    data: ConsoleResponse,
  })
  async getConsole(
    @UserId() userId: number,
    @RequestGrant() { scopes }: TokenGrant,
  ): Promise<DataResult<ConsoleResponse>> {
    return { data: await this.console.getConsole(userId, scopes) };
  }

  @Get('ledger')
  @Endpoint({ summary: 'Every movement of the balance, newest first', page: LedgerEntryResponse })
  listLedger(@UserId() userId: number, @Query() query: ListLedgerDto): Promise<Page<LedgerEntryResponse>> {
    return this.history.pageOfEntries(userId, query);
  }

  @Get('ledger/daily')
  @Endpoint({
    summary: 'The balance at the end of each day, and what was added and taken',
    data: DailyBalancesResponse,
  })
  async getDailyBalances(
    @UserId() userId: number,
    @Query() query: DailyBalancesDto,
  ): Promise<DataResult<DailyBalancesResponse>> {
    return { data: await this.history.dailyBalances(userId, query) };
  }
}
