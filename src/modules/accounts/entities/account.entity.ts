import {
  Column,
  CreateDateColumn,
  Entity,
  JoinColumn,
  ManyToOne,
  PrimaryGeneratedColumn,
  type Relation,
} from 'typeorm';
import { bigintColumn } from '#src/common/persistence/columns.js';
import { Plan } from './plan.entity.js';

@Entity('accounts')
export class Account {
  @PrimaryGeneratedColumn({ type: 'int' })
  id: number;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text' })
  email: string;

  @Column({ name: 'plan_id', type: 'int' })
  planId: number;

  @ManyToOne(() => Plan)
  @JoinColumn({ name: 'plan_id' })
  plan: Relation<Plan>;

  /** ISO 3166-1 alpha-2: where a national phone number is read. */
  @Column({ type: 'char', length: 2 })
  country: string;

  @Column(bigintColumn('balance_micros'))
  balanceMicros: bigint;

  /** The sum of the holds of running calls; a trigger on `calls` keeps it. */
  @Column(bigintColumn('held_micros'))
  heldMicros: bigint;

  /** ISO 3166-1 alpha-2: where calls and messages may go; null: everywhere. */
  @Column({ name: 'allowed_countries', type: 'text', array: true, nullable: true })
  allowedCountries: string[] | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  /** The amount that may be spent: the balance without the holds of running calls. */
  get availableMicros(): bigint {
    return this.balanceMicros - this.heldMicros;
  }
}
