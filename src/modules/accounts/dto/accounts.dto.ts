import { EnumField, IdField } from '#src/common/validation/fields.js';
import { DayField, TimezoneField } from '#src/common/validation/text-fields.js';
import { pageQuery } from '#src/http/pagination/page.js';
import { LEDGER_KINDS, type LedgerKind } from '../entities/account.entities.js';

export class ListLedgerDto extends pageQuery() {
  @EnumField(LEDGER_KINDS, { required: false })
  kind?: LedgerKind;

  @IdField({ required: false, description: 'Entries of this call.' })
  call_id?: number;

  @DayField({ required: false, description: 'Entries from this day on.' })
  date_from?: string;

  @DayField({ required: false, description: 'Entries until the end of this day.' })
  date_to?: string;

  @TimezoneField({ required: false, default: 'UTC', description: 'Time zone of the days.' })
  timezone?: string;
}

export const MAX_LEDGER_DAYS = 366;

export class DailyBalancesDto {
  @DayField({ description: 'First day, of `timezone`.' })
  from: string;

  @DayField({ description: `Last day. At most ${MAX_LEDGER_DAYS} days.` })
  to: string;

  @TimezoneField({ required: false, default: 'UTC', description: 'Time zone of the days.' })
  timezone?: string;
}
