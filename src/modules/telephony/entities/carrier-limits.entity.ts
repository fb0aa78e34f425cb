import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The pace at which a carrier account is given calls; without a row it was given none yet. */
@Entity('carrier_rates')
export class CarrierRate {
  /** The account's id at the carrier. */
  @PrimaryColumn({ type: 'text' })
  accountSid: string;

  /** When the next call may be placed. */
  @Column({ type: 'timestamptz' })
  nextAt: Date;
}

/** A carrier account that takes no calls for now. Without a row it takes them. */
@Entity('carrier_breakers')
export class CarrierBreaker {
  /** The account's id at the carrier. */
  @PrimaryColumn({ type: 'text' })
  accountSid: string;

  /** Calls placed to find out whether it takes them again. */
  @Column({ type: 'int', default: 0 })
  probes: number;

  /** When the next one may be placed. */
  @Column({ type: 'timestamptz' })
  probeAt: Date;
}
