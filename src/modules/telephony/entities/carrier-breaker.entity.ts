import { Column, Entity, PrimaryColumn } from 'typeorm';

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
