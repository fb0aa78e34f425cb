import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A number whose erasure was requested, for a day: imports that had begun before do not store it again. */
@Entity('erased_numbers')
@Index('erased_numbers_account', ['accountId', 'id'])
export class ErasedNumber {
  /** Those of an account ascend in the order of their commits. */
  @PrimaryGeneratedColumn('identity', { type: 'int', generatedIdentity: 'ALWAYS' })
  id: number;

  @ForeignKey('accounts', { onDelete: 'CASCADE' })
  @Column({ type: 'int' })
  accountId: number;

  /** See `NumberHashesService`. */
  @Column({ type: 'text' })
  numberHash: string;

  @Index('erased_numbers_age')
  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;
}
