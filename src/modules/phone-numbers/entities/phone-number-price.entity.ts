import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { bigintColumn } from '#src/common/persistence/columns.js';

/** Price of a month of a number that is bought from a time on; the newest price of a country applies. */
@Entity('phone_number_prices')
@Check('phone_number_prices_price_micros_check', '(price_micros >= 0)')
@Index('phone_number_prices_country', { synchronize: false })
export class PhoneNumberPrice {
  @PrimaryGeneratedColumn('identity', { type: 'int', generatedIdentity: 'ALWAYS' })
  id: number;

  /** ISO 3166-1 alpha-2; null: every country that has no price of its own. */
  @Column({ type: 'char', length: 2, nullable: true })
  country: string | null;

  @Column(bigintColumn())
  priceMicros: bigint;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  validFrom: Date;
}
