import { ApiProperty } from '@nestjs/swagger';
import { toAmount } from '#src/common/money/micros.js';
import type { Account } from '../entities/account.entity.js';

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
