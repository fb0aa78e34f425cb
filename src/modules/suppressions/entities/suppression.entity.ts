import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** `api`: the account's user asked for it; `call`: the person on a call did. */
export const SUPPRESSION_SOURCES = ['api', 'call'] as const;
export type SuppressionSource = (typeof SUPPRESSION_SOURCES)[number];

@Entity('suppressions')
export class Suppression {
  @PrimaryGeneratedColumn({ type: 'int' })
  id: number;

  @Column({ name: 'account_id', type: 'int' })
  accountId: number;

  /** E.164 */
  @Column({ name: 'phone_number', type: 'text' })
  phoneNumber: string;

  @Column({ type: 'text', nullable: true })
  reason: string | null;

  @Column({ type: 'text' })
  source: SuppressionSource;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
