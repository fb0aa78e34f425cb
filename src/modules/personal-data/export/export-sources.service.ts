import { Injectable } from '@nestjs/common';
import type { Person, PersonalDataKind } from '#src/common/personal-data.js';
import { CallsPersonalExportService } from '../../calls/personal-data/calls-personal-export.service.js';
import { ChatsPersonalDataService } from '../../chats/chats-personal-data.service.js';
import { LeadsPersonalDataService } from '../../leads/leads-personal-data.service.js';
import { SmsPersonalDataService } from '../../sms/sms-personal-data.service.js';
import {
  WebhooksPersonalDataService,
  type DeliverySubjects,
} from '../../webhooks/webhooks-personal-data.service.js';
import { KeptAnswersService } from './kept-answers.service.js';

/** A file of rows in the archive. */
export interface ExportedFile {
  kind: PersonalDataKind;
  rows: AsyncIterable<object>;
}

/** Reads what the account has of a person, in batches. */
@Injectable()
export class ExportSourcesService {
  constructor(
    private readonly calls: CallsPersonalExportService,
    private readonly chats: ChatsPersonalDataService,
    private readonly sms: SmsPersonalDataService,
    private readonly leads: LeadsPersonalDataService,
    private readonly deliveries: WebhooksPersonalDataService,
    private readonly kept: KeptAnswersService,
  ) {}

  files(person: Person): ExportedFile[] {
    return [
      { kind: 'leads', rows: this.leads.read(person) },
      { kind: 'calls', rows: this.calls.readCalls(person) },
      { kind: 'live_events', rows: this.readLiveEvents(person) },
      { kind: 'conversations', rows: this.chats.read(person) },
      { kind: 'messages', rows: this.sms.read(person) },
      { kind: 'deliveries', rows: this.readDeliveries(person) },
      { kind: 'stored_answers', rows: this.kept.readAnswers(person) },
      { kind: 'suppressions', rows: this.kept.readSuppressions(person) },
    ];
  }

  /** Calls that have a recording. */
  async *readRecordedCalls(person: Person): AsyncGenerator<number> {
    for await (const { id, hasRecording } of this.calls.readIds(person)) if (hasRecording) yield id;
  }

  private async *readLiveEvents(person: Person): AsyncGenerator<object> {
    for await (const { id } of this.calls.readIds(person)) yield* await this.calls.readLiveEvents(id);
  }

  /** Those of calls and conversations, and what else names the person: the lead of a call to another number. */
  private async *readDeliveries(person: Person): AsyncGenerator<object> {
    const read = new Set<number>();
    const unread = async (subjects: DeliverySubjects): Promise<object[]> => {
      const found = (await this.deliveries.read(subjects)).filter(({ id }) => !read.has(id));
      for (const { id } of found) read.add(id);
      return found;
    };
    for await (const { id } of this.calls.readIds(person)) yield* await unread({ callIds: [id] });
    for await (const { id } of this.chats.read(person)) yield* await unread({ chatIds: [id] });
    for await (const ids of this.deliveries.findNaming(person))
      for (const id of ids) yield* await unread({ deliveryIds: [id] });
  }
}
