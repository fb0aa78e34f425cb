import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';

@Entity('phone_numbers')
@Index('phone_numbers_account', ['accountId', 'id'])
export class PhoneNumber {
  @PrimaryGeneratedColumn('identity', { type: 'int', generatedIdentity: 'ALWAYS' })
  id: number;

  @ForeignKey('accounts', { onDelete: 'CASCADE' })
  @Column({ type: 'int' })
  accountId: number;

  /** E.164 */
  @Column({ type: 'text', unique: true })
  phoneNumber: string;

  @Column({ type: 'text', nullable: true })
  nickname: string | null;

  @Column({ type: 'char', length: 2 })
  countryCode: string;

  @Column({ type: 'text', default: 'local' })
  type: string;

  @Column({ type: 'boolean', default: false })
  smsCapable: boolean;

  @Column({ type: 'text', nullable: true })
  region: string | null;

  /** Null: the subscription does not end. */
  @Column({ type: 'timestamptz', nullable: true })
  subscriptionExpiresAt: Date | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;
}

export const hasActiveSubscription = (
  { subscriptionExpiresAt: end }: PhoneNumber,
  now = new Date(),
): boolean => end === null || end > now;
