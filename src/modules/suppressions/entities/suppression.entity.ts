import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  ForeignKey,
  Index,
  PrimaryGeneratedColumn,
  Unique,
} from 'typeorm';

/** `api`: requested by the account's user; `call`: by the person on a call. */
export const SUPPRESSION_SOURCES = ['api', 'call'] as const;
export type SuppressionSource = (typeof SUPPRESSION_SOURCES)[number];

@Entity('suppressions')
@Index('suppressions_account', { synchronize: false })
@Unique(['accountId', 'phoneNumber'])
@Unique(['accountId', 'numberHash'])
@Check('suppressions_number_check', '((phone_number IS NULL) <> (number_hash IS NULL))')
export class Suppression {
  @PrimaryGeneratedColumn('identity', { type: 'int', generatedIdentity: 'ALWAYS' })
  id: number;

  @ForeignKey('accounts', { onDelete: 'CASCADE' })
  @Column({ type: 'int' })
  accountId: number;

  /** E.164; null: only the hash is kept. */
  @Column({ type: 'text', nullable: true })
  phoneNumber: string | null;

  /** Of a number whose data was erased, see `NumberHashesService`. */
  @Column({ type: 'text', nullable: true })
  numberHash: string | null;

  /** It ends with the erasure, and no list shows it. */
  @Column({ type: 'boolean', default: false })
  whileErasing: boolean;

  @Column({ type: 'text', nullable: true })
  reason: string | null;

  @Column({ type: 'text' })
  source: SuppressionSource;

  /** Changes of the migration to one form of numbers, to undo it; null: none. */
  @Column({ type: 'jsonb', nullable: true })
  former: object | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;
}
