import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import { Page, type StreamedPage } from '#src/common/pagination/page.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { CallListService } from './call-list.service.js';
import { CallNotFound } from './calls.errors.js';
import { toCallResponse, type CallResponse, type ListCallsDto } from './dto/calls.dto.js';
import { Call } from './entities/call.entity.js';

/** The calls of a user as the API shows them. */
@Injectable()
export class CallsService {
  constructor(
    @InjectRepository(Call) private readonly calls: Repository<Call>,
    private readonly pages: CallListService,
    private readonly accounts: AccountsService,
  ) {}

  async listCalls(userId: number, query: ListCallsDto): Promise<Page<CallResponse> | StreamedPage> {
    const number = query.phone_number;
    const phoneNumber =
      number === undefined ? undefined : await this.accounts.formatNumberFilter(userId, number);
    // Not a number at all: no call has it.
    if (phoneNumber === null) return new Page<CallResponse>([], 0, query);
    return this.pages.findPage(userId, query, phoneNumber);
  }

  async getCall(userId: number, id: number): Promise<CallResponse> {
    const call = await this.calls.findOneBy({ id, accountId: userId, deletedAt: IsNull() });
    if (!call) throw new CallNotFound();
    return toCallResponse(call);
  }

  async ownsCall(userId: number, id: number): Promise<boolean> {
    return this.calls.existsBy({ id, accountId: userId, deletedAt: IsNull() });
  }

  /** Hides the record; a call that still runs continues, is charged and reported. */
  async deleteCall(userId: number, id: number): Promise<void> {
    const { affected } = await this.calls.update(
      { id, accountId: userId, deletedAt: IsNull() },
      { deletedAt: new Date() },
    );
    if (!affected) throw new CallNotFound();
  }
}
