import { ApiProperty } from '@nestjs/swagger';
import { toAmount } from '#src/common/money/micros.js';
import {
  type Account,
  type LedgerEntry,
  LEDGER_KINDS,
  type LedgerKind,
} from '../entities/account.entities.js';
import { toDateTime } from '#src/common/time/time.js';

export class MeResponse {
  @ApiProperty() name: string;
  @ApiProperty({ format: 'email' }) email: string;
  @ApiProperty({ description: 'Balance in the account currency.', example: 24.5 }) total_balance: number;
  @ApiProperty({
    description: 'The balance without what running calls hold until they are charged: what may be spent now.',
    example: 24,
  })
  available_balance: number;
}

export const toMeResponse = ({ name, email, balanceMicros, availableMicros }: Account): MeResponse => ({
  name,
  email,
  total_balance: toAmount(balanceMicros),
  available_balance: toAmount(availableMicros),
});

export class LedgerEntryResponse {
  @ApiProperty({ type: 'integer' }) id: number;
  @ApiProperty({ enum: LEDGER_KINDS }) kind: LedgerKind;
  @ApiProperty({
    description:
      'What the money moved for: the id of the call or the SMS, the id and the month of a phone number (`12:1` is the first), or the name of a top-up.',
  })
  reference: string;
  @ApiProperty({ description: 'Negative amounts were taken from the balance.', example: -0.075 })
  amount: number;
  @ApiProperty({ description: 'The balance after this entry.', example: 24.425 }) balance: number;
  @ApiProperty({ example: '2026-01-31 09:30:00' }) created_at: string;
}

export const toLedgerEntryResponse = (entry: LedgerEntry): LedgerEntryResponse => ({
  id: Number(entry.id),
  kind: entry.kind,
  reference: entry.reference,
  amount: toAmount(entry.amountMicros),
  balance: toAmount(entry.balanceMicros),
  created_at: toDateTime(entry.createdAt),
});

class LedgerDayResponse {
  @ApiProperty({ format: 'date', example: '2026-01-31' }) date: string;
  @ApiProperty({ description: 'At the end of the day; of a day that has not ended, now.', example: 24.425 })
  balance: number;
  @ApiProperty({ description: 'The sum of what was added on this day.', example: 0 }) credits: number;
  @ApiProperty({ description: 'The sum of what was taken on this day; not negative.', example: 0.075 })
  debits: number;
}

export class DailyBalancesResponse {
  @ApiProperty({ example: 'Europe/Berlin' }) timezone: string;
  @ApiProperty({ type: [LedgerDayResponse], description: 'Every day of the range, the first one first.' })
  days: LedgerDayResponse[];
}
