import { Injectable, type StreamableFile } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import { csvStream } from '#src/common/csv/csv-stream.js';
import type { StreamedPage } from '#src/http/pagination/page.js';
import { AuditService } from '../audit/audit.service.js';
import { AccountsService, type NumberCondition } from '../accounts/accounts.service.js';
import { RecordingLinksService } from '../recordings/recording-links.service.js';
import { RecordingNotFound } from '../recordings/recordings.errors.js';
import { CallListService, type ExportedCall } from './call-list.service.js';
import { CallNotFound } from './calls.errors.js';
import { CALL_COLUMNS } from './call-columns.js';
import { type ExportCallsDto, type ListCallsDto } from './dto/calls.dto.js';
import { toCallResponse, type CallResponse } from './dto/call.response.js';
import { Call } from './entities/call.entity.js';

/** The calls of a user in the API. */
@Injectable()
export class CallsService {
  constructor(
    @InjectRepository(Call) private readonly calls: Repository<Call>,
    private readonly pages: CallListService,
    private readonly accounts: AccountsService,
    private readonly recordings: RecordingLinksService,
    private readonly audit: AuditService,
  ) {}

  async listCalls(userId: number, query: ListCallsDto): Promise<StreamedPage> {
    return this.pages.findPage(userId, query, await this.findNumberMatch(userId, query));
  }

  async exportCalls(userId: number, query: ExportCallsDto): Promise<StreamableFile> {
    const client = await this.findNumberMatch(userId, query);
    return csvStream({
      name: 'calls.csv',
      columns: CALL_COLUMNS,
      readRowsAfter: (last: ExportedCall | null) => this.pages.findAfter(userId, query, client, last),
    });
  }

  async getCall(userId: number, id: number): Promise<CallResponse> {
    const call = await this.calls.findOneBy({ id, accountId: userId, deletedAt: IsNull() });
    if (!call) throw new CallNotFound();
    return toCallResponse(call, this.recordings.createLink(call, 'api'));
  }

  /** A signed link to the recording. */
  async createRecordingLink(userId: number, id: number): Promise<{ url: string }> {
    const call = await this.calls.findOne({
      where: { id, accountId: userId, deletedAt: IsNull() },
      select: { id: true, recordingUrl: true },
    });
    if (!call) throw new CallNotFound();
    const url = this.recordings.createLink(call, 'api');
    if (url === null) throw new RecordingNotFound();
    return { url };
  }

  async ownsCall(userId: number, id: number): Promise<boolean> {
    return this.calls.existsBy({ id, accountId: userId, deletedAt: IsNull() });
  }

  /** Hides the record and deletes its recording; a call that still runs continues, is charged and reported. */
  async deleteCall(userId: number, id: number): Promise<void> {
    await this.audit.change(async (tx, record) => {
      const where = { id, accountId: userId, deletedAt: IsNull() };
      const { affected } = await tx.update(Call, where, { deletedAt: new Date() });
      if (!affected) throw new CallNotFound();
      record({ accountId: userId, action: 'call.delete', resourceId: id });
    });
  }

  /** A client without a number is matched as shown: `anonymous`, or the address of a SIP caller. */
  private async findNumberMatch(
    userId: number,
    { phone_number: given }: ExportCallsDto,
  ): Promise<NumberCondition | undefined> {
    if (given === undefined) return undefined;
    return (await this.accounts.toNumberCondition(userId, given)) ?? { operator: '=', value: given };
  }
}
