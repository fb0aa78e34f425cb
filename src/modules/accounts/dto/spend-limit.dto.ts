import { SpendLimitField } from '../spend-limit-field.js';

export class UpdateSpendLimitDto {
  @SpendLimitField(
    'What the account may spend in an hour of the clock (UTC), in the account currency, with up to six decimals. Null: ' +
      'no limit.',
  )
  spend_limit_per_hour?: number | null;
}
