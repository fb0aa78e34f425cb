import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Unauthenticated } from '#src/common/errors/api-error.js';
import { BatchLoader, assumeFewRows } from '#src/common/persistence/batches.js';
import { countryOf } from '#src/common/phone/phone.js';
import { CountryPrices } from '../accounts/country-prices.js';
import { AuditService } from '../audit/audit.service.js';

export interface SmsTermsQuery {
  accountId: number;
  phoneNumberId: number;
  /** E.164; null: no number, which has the default price. */
  to: string | null;
}

/** Conditions and price of a message. */
export interface SmsTerms {
  /** Null: the account has no such number. */
  sender: { phoneNumber: string; isSmsCapable: boolean; isActive: boolean } | null;
  allowedCountries: string[] | null;
  availableMicros: bigint;
  segmentPriceMicros: bigint;
}

interface TermsRow {
  n: number;
  phone_number: string | null;
  sms_capable: boolean;
  is_active: boolean;
  allowed_countries: string[] | null;
  available_micros: string;
  price_micros: string | null;
}

const MAX_BATCH = 100;

/**
 * @param sqlOfPrice `price_micros` of a message to `asked.country`
 *
 * `deleted_at` is no condition of the join: without statistics of the table PostgreSQL expects that hardly a row meets
 * it, and reads the whole table for each message.
 */
export const smsTermsSql = (sqlOfPrice: string): string => `
  SELECT asked.n, CASE WHEN sender.deleted_at IS NULL THEN sender.phone_number END AS phone_number,
         sender.sms_capable, EXISTS (SELECT FROM active_phone_numbers active WHERE active.id = sender.id) AS is_active,
         account.allowed_countries, price.price_micros, account.available_micros
    FROM jsonb_to_recordset($1) AS asked (n int, account_id int, phone_number_id int, country text)
    JOIN account_plans account ON account.account_id = asked.account_id
    LEFT JOIN known_phone_numbers sender ON sender.id = asked.phone_number_id AND sender.account_id = asked.account_id
    LEFT JOIN LATERAL (${sqlOfPrice}) price ON true
   WHERE ${assumeFewRows('asked.n')}`;

/** Price of a segment, by the country of the recipient's number range, and whether a message may be sent. */
@Injectable()
export class SmsTermsService extends CountryPrices {
  private readonly batches = new BatchLoader<SmsTermsQuery, SmsTerms | null>(
    (queries) => this.readBatch(queries),
    MAX_BATCH,
  );
  private readonly sql: string;

  constructor(db: DataSource, audit: AuditService) {
    super(db, audit, 'sms_prices');
    this.sql = smsTermsSql(this.priceSql('asked.country'));
  }

  /** Micro-units per segment to an E.164 number; null or a number of no country: the default price. */
  findSegmentPrice(e164: string | null): Promise<bigint> {
    return this.findPrice(e164 === null ? null : countryOf(e164));
  }

  /**
   * Reads the terms of many messages in one statement.
   *
   * @throws Unauthenticated: the token was valid before, the account is being removed
   */
  async findTerms(query: SmsTermsQuery): Promise<SmsTerms> {
    const terms = await this.batches.load(query);
    if (!terms) throw new Unauthenticated();
    return terms;
  }

  private async readBatch(queries: SmsTermsQuery[]): Promise<(SmsTerms | null)[]> {
    const asked = queries.map(({ accountId, phoneNumberId, to }, n) => ({
      n,
      account_id: accountId,
      phone_number_id: phoneNumberId,
      country: to === null ? null : countryOf(to),
    }));
    const rows = await this.db.query<TermsRow[]>(this.sql, [JSON.stringify(asked)]);
    const found = new Map(rows.map((row) => [row.n, row]));
    return queries.map((_, n) => {
      const row = found.get(n);
      return row ? this.toTerms(row) : null;
    });
  }

  private toTerms(row: TermsRow): SmsTerms {
    const { phone_number: phoneNumber, sms_capable: isSmsCapable, is_active: isActive } = row;
    return {
      sender: phoneNumber === null ? null : { phoneNumber, isSmsCapable, isActive },
      allowedCountries: row.allowed_countries,
      availableMicros: BigInt(row.available_micros),
      segmentPriceMicros: this.parsePrice(row.price_micros),
    };
  }
}
