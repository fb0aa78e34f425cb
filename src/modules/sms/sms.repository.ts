import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { offsetOf, Page } from '#src/common/pagination/page.js';
import type { ListSmsDto } from './dto/sms.dto.js';
import { SmsMessage } from './entities/sms-message.entity.js';

/** Pages of a user's messages, newest first. */
@Injectable()
export class SmsRepository {
  constructor(@InjectRepository(SmsMessage) private readonly messages: Repository<SmsMessage>) {}

  async findPage(userId: number, query: ListSmsDto, to: string | undefined): Promise<Page<SmsMessage>> {
    const { status, date_from, date_to } = query;
    const builder = this.messages.createQueryBuilder('sms').where('sms.accountId = :userId', { userId });
    if (status) builder.andWhere('sms.status = :status', { status });
    if (to) builder.andWhere('sms.to = :to', { to });
    if (date_from) builder.andWhere('sms.createdAt >= :date_from::date', { date_from });
    if (date_to) builder.andWhere('sms.createdAt < :date_to::date + 1', { date_to });
    const [messages, total] = await builder
      .orderBy('sms.createdAt', 'DESC')
      .addOrderBy('sms.id', 'DESC')
      .offset(offsetOf(query))
      .limit(query.per_page)
      .getManyAndCount();
    return new Page(messages, total, query);
  }
}
