import { Controller, Get } from '@nestjs/common';
import { ApiResource, Endpoint } from '#src/common/http/endpoint.decorator.js';
import { Query } from '#src/common/validation/params.decorator.js';
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
  @Endpoint({ summary: 'The account and its balance', body: MeResponse })
  getMe(@UserId() userId: number) {
    return this.accounts.me(userId);
  }

  @Get('ledger')
  @Endpoint({ summary: 'Every movement of the balance, newest first', page: LedgerEntryResponse })
  listLedger(@UserId() userId: number, @Query() query: ListLedgerDto) {
    return this.history.pageOfEntries(userId, query);
  }
}
