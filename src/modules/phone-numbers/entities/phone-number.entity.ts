import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

@Entity('phone_numbers')
export class PhoneNumber {
  @PrimaryGeneratedColumn({ type: 'int' })
  id: number;

  @Column({ name: 'account_id', type: 'int' })
  accountId: number;

  /** E.164 */
  @Column({ name: 'phone_number', type: 'text' })
  phoneNumber: string;

  @Column({ type: 'text', nullable: true })
  nickname: string | null;

  @Column({ name: 'country_code', type: 'char', length: 2 })
  countryCode: string;

  @Column({ type: 'text' })
  type: string;

  @Column({ name: 'sms_capable', type: 'boolean' })
  smsCapable: boolean;

  @Column({ type: 'text', nullable: true })
  region: string | null;

  /** Null: the subscription does not end. */
  @Column({ name: 'subscription_expires_at', type: 'timestamptz', nullable: true })
  subscriptionExpiresAt: Date | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}

export const hasActiveSubscription = (
  { subscriptionExpiresAt: end }: PhoneNumber,
  now = new Date(),
): boolean => end === null || end > now;
