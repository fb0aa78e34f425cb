import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Unauthenticated } from '#src/common/errors/api-error.js';
import { BatchLoader, fewRows } from '#src/common/persistence/batches.js';
import { countryOf } from '#src/common/phone/phone.js';
import { SmsPricesService } from './sms-prices.service.js';

export interface SmsIntent {
  accountId: number;
  phoneNumberId: number;
  /** E.164; null: no number, which has the default price. */
  to: string | null;
}

/** What decides whether a message may be sent and what it costs. */
export interface SmsTerms {
  /** Null: the account has no such number. */
  sender: { phoneNumber: string; isSmsCapable: boolean; isActive: boolean } | null;
  allowedCountries: string[] | null;
  availableMicros: bigint;
  segmentPriceMicros: bigint;
}

interface Row {
  n: number;
  phone_number: string | null;
  sms_capable: boolean;
  is_active: boolean;
  allowed_countries: string[] | null;
  available_micros: string;
  price_micros: string | null;
}

const MAX_BATCH = 100;

/** Reads the terms of many messages in one statement. */
@Injectable()
export class SmsTermsRepository {
  private readonly batches = new BatchLoader<SmsIntent, SmsTerms | null>(
    (intents) => this.readAll(intents),
    MAX_BATCH,
  );
  private readonly text: string;

  constructor(
    private readonly db: DataSource,
    private readonly prices: SmsPricesService,
  ) {
    this.text = `
      SELECT asked.n, sender.*, account.allowed_countries, price.price_micros,
             account.balance_micros - account.held_micros AS available_micros
        FROM jsonb_to_recordset($1) AS asked (n int, account_id int, phone_number_id int, country text)
        JOIN accounts account ON account.id = asked.account_id
        LEFT JOIN LATERAL (
          SELECT phone_number, sms_capable,
                 EXISTS (SELECT FROM active_phone_numbers active WHERE active.id = phone_numbers.id) AS is_active
            FROM phone_numbers
           WHERE id = asked.phone_number_id AND account_id = asked.account_id AND deleted_at IS NULL) sender ON true
        LEFT JOIN LATERAL (${prices.sqlOfPrice('asked.country')}) price ON true
       WHERE ${fewRows('asked.n')}`;
  }

  /** @throws Unauthenticated: the token was valid before, the account is being removed */
  async termsOf(intent: SmsIntent): Promise<SmsTerms> {
    const terms = await this.batches.load(intent);
    if (!terms) throw new Unauthenticated();
    return terms;
  }

  private async readAll(intents: SmsIntent[]): Promise<(SmsTerms | null)[]> {
    const asked = intents.map(({ accountId, phoneNumberId, to }, n) => ({
      n,
      account_id: accountId,
      phone_number_id: phoneNumberId,
      country: to === null ? null : countryOf(to),
    }));
    const rows = await this.db.query<Row[]>(this.text, [JSON.stringify(asked)]);
    const found = new Map(rows.map((row) => [row.n, row]));
    return intents.map((_, n) => {
      const row = found.get(n);
      return row ? this.toTerms(row) : null;
    });
  }

  private toTerms(row: Row): SmsTerms {
    const { phone_number: phoneNumber, sms_capable: isSmsCapable, is_active: isActive } = row;
    return {
      sender: phoneNumber === null ? null : { phoneNumber, isSmsCapable, isActive },
      allowedCountries: row.allowed_countries,
      availableMicros: BigInt(row.available_micros),
      segmentPriceMicros: this.prices.toPrice(row.price_micros),
    };
  }
}
