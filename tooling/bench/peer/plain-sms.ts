/**
 * The reference for SMS: a typical service with NestJS, Fastify and TypeORM. It checks the token and the number,
 * charges the cost and writes the record in one transaction, sends the request to the carrier, and writes the result
 * and the delivery reports. It has no Idempotency-Keys, no rules for destinations and no reconciliation.
 */
import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { Body, Controller, Get, Headers, HttpCode, HttpException, Module, Param, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { InjectDataSource, TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import twilio from 'twilio';
import { hashToken } from '#src/auth/access-tokens.service.js';
import { SnakeNamingStrategy } from '#src/database/snake-naming-strategy.js';
import { AccessToken } from '#src/auth/entities/access-token.entity.js';
import { Account, LedgerEntry, Plan } from '#src/modules/accounts/entities/account.entities.js';
import { PhoneNumber } from '#src/modules/phone-numbers/entities/phone-number.entity.js';
import { SmsMessage, SmsPrice } from '#src/modules/sms/entities/sms.entities.js';
import { TwilioRequestClient } from '#src/modules/telephony/twilio/twilio-request-client.js';

const {
  DATABASE_URL: url = '',
  PORT = '',
  TWILIO_ACCOUNT_SID,
  TWILIO_AUTH_TOKEN,
  TWILIO_API_URL = '',
} = process.env;
const carrier = twilio(TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, {
  httpClient: new TwilioRequestClient({ apiUrl: TWILIO_API_URL }),
});

interface SendSms {
  from: number;
  to: string;
  body: string;
}

@Controller()
class PlainSmsController {
  constructor(@InjectDataSource() private readonly db: DataSource) {}

  @Get('health/ready')
  ready() {
    return { status: 'ok' };
  }

  @Post('api/user/sms')
  @HttpCode(200)
  async send(@Headers('authorization') authorization: string, @Body() dto: SendSms) {
    const token = await this.db.manager.findOneBy(AccessToken, {
      tokenHash: hashToken(authorization.replace('Bearer ', '')),
    });
    if (!token) throw new HttpException('Unauthenticated.', 401);
    const number = await this.db.manager.findOneBy(PhoneNumber, { id: dto.from, accountId: token.accountId });
    if (!number?.smsCapable) throw new HttpException('From number not found', 400);
    const message = await this.charge(token.accountId, number, dto);
    const sent = await carrier.messages.create({
      from: message.from,
      to: message.to,
      body: message.body,
      statusCallback: `http://127.0.0.1:${PORT}/sms-status/${message.token}`,
    });
    await this.db.manager.update(SmsMessage, message.id, { status: 'sent', smsSid: sent.sid, checkAt: null });
    return { id: message.id, to: message.to, body: message.body, status: 'sent', sms_sid: sent.sid };
  }

  @Post('sms-status/:token')
  @HttpCode(204)
  async report(
    @Param('token') token: string,
    @Body() form: { SmsStatus: 'sent' | 'delivered' },
  ): Promise<void> {
    const message = await this.db.manager.findOneByOrFail(SmsMessage, { token });
    if (message.status === 'delivered') return;
    await this.db.manager.update(SmsMessage, message.id, { status: form.SmsStatus });
  }

  private charge(accountId: number, number: PhoneNumber, dto: SendSms): Promise<SmsMessage> {
    return this.db.transaction(async (tx) => {
      const account = await tx.findOneOrFail(Account, {
        where: { id: accountId },
        lock: { mode: 'pessimistic_write' },
      });
      const [price] = await tx.find(SmsPrice, {
        where: [{ country: number.countryCode }],
        order: { validFrom: 'DESC' },
        take: 1,
      });
      const cost = price?.priceMicros ?? 75_000n;
      if (account.balanceMicros < cost) throw new HttpException('Insufficient balance to send SMS', 400);
      account.balanceMicros -= cost;
      await tx.update(Account, account.id, { balanceMicros: account.balanceMicros });
      const message = await tx.save(SmsMessage, {
        accountId,
        phoneNumberId: number.id,
        from: number.phoneNumber,
        to: dto.to,
        body: dto.body,
        segments: 1,
        segmentPriceMicros: cost,
        totalCostMicros: cost,
        status: 'pending',
        token: randomUUID(),
      });
      await tx.insert(LedgerEntry, {
        accountId,
        kind: 'sms',
        reference: String(message.id),
        amountMicros: -cost,
        balanceMicros: account.balanceMicros,
      });
      return message as SmsMessage;
    });
  }
}

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      url,
      entities: [AccessToken, Account, LedgerEntry, PhoneNumber, Plan, SmsMessage, SmsPrice],
      namingStrategy: new SnakeNamingStrategy(),
      installExtensions: false,
      poolSize: 20,
    }),
  ],
  controllers: [PlainSmsController],
})
class PlainSmsModule {}

const app = await NestFactory.create<NestFastifyApplication>(PlainSmsModule, new FastifyAdapter(), {
  logger: ['error'],
});
await app.listen(Number(PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
