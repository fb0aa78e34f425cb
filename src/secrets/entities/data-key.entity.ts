import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A key that encrypts the secrets of an account. It is encrypted itself, with a key of `ENCRYPTION_KEYS`. */
@Entity('data_keys')
// Nulls are not distinct in it, which TypeORM cannot declare.
@Index('data_keys_current', ['accountId'], { unique: true, where: '(retired_at IS NULL)' })
export class DataKey {
  @PrimaryGeneratedColumn('identity', { type: 'int', generatedIdentity: 'ALWAYS' })
  id: number;

  /** Null: of secrets that belong to no account. */
  @Index('data_keys_account')
  @ForeignKey('accounts', { onDelete: 'CASCADE' })
  @Column({ type: 'int', nullable: true })
  accountId: number | null;

  @Column({ type: 'text' })
  wrapped: string;

  /** Name of the encryption key. */
  @Column({ type: 'text' })
  wrappedBy: string;

  /** From then on it only decrypts; null: the one that encrypts. */
  @Column({ type: 'timestamptz', nullable: true })
  retiredAt: Date | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;
}
