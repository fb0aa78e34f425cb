import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { ApiInvalid, ApiResource } from '#src/common/http/api-docs.js';
import { ApiPaginated } from '#src/common/pagination/page.js';
import { UserId } from '#src/auth/auth.decorators.js';
import { AccountsService } from './accounts.service.js';
import { LedgerEntryResponse, ListLedgerDto, MeResponse } from './dto/accounts.dto.js';
import { LedgerHistoryService } from './ledger-history.service.js';

@ApiResource('Account')
@Controller('user')
export class AccountsController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly history: LedgerHistoryService,
  ) {}

  @Get('me')
  @ApiOperation({ operationId: 'getMe', summary: 'The account and its balance' })
  @ApiOkResponse({ type: MeResponse })
  me(@UserId() userId: number) {
    return this.accounts.me(userId);
  }

  @Get('ledger')
  @ApiOperation({ operationId: 'listLedger', summary: 'Every movement of the balance, newest first' })
  @ApiPaginated(LedgerEntryResponse)
  @ApiInvalid()
  ledger(@UserId() userId: number, @Query() query: ListLedgerDto) {
    return this.history.pageOfEntries(userId, query);
  }
}
