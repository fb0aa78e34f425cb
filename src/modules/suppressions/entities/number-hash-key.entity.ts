import { Column, Entity, ForeignKey, PrimaryGeneratedColumn } from 'typeorm';

/** The key of an account's hashes of numbers. The first hash makes it; it stays, so that hashes stay comparable. */
@Entity('number_hash_keys')
export class NumberHashKey {
  @PrimaryGeneratedColumn('identity', { type: 'int', generatedIdentity: 'ALWAYS' })
  id: number;

  @ForeignKey('accounts', { onDelete: 'CASCADE' })
  @Column({ type: 'int', unique: true })
  accountId: number;

  /** 32 bytes in base64, encrypted. */
  @Column({ type: 'text' })
  secret: string;
}
