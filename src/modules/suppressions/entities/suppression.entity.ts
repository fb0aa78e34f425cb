import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

/** `api`: the account's user asked for it; `call`: the person on a call did. */
export const SUPPRESSION_SOURCES = ['api', 'call'] as const;
export type SuppressionSource = (typeof SUPPRESSION_SOURCES)[number];

@Entity('suppressions')
@Index('suppressions_account', { synchronize: false })
@Unique(['accountId', 'phoneNumber'])
export class Suppression {
  @PrimaryGeneratedColumn('identity', { type: 'int', generatedIdentity: 'ALWAYS' })
  id: number;

  @ForeignKey('accounts', { onDelete: 'CASCADE' })
  @Column({ type: 'int' })
  accountId: number;

  /** E.164 */
  @Column({ type: 'text' })
  phoneNumber: string;

  @Column({ type: 'text', nullable: true })
  reason: string | null;

  @Column({ type: 'text' })
  source: SuppressionSource;

  /** What the migration that gave numbers of two forms one has changed here, to undo it; null: nothing. */
  @Column({ type: 'jsonb', nullable: true })
  former: object | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;
}
