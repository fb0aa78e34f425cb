import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

@Entity('webhook_secrets')
export class WebhookSecret {
  @PrimaryGeneratedColumn({ type: 'int' })
  id: number;

  @Column({ name: 'account_id', type: 'int' })
  accountId: number;

  @Column({ type: 'text' })
  secret: string;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  /** Signs until then, beside its successor; null: the current one. */
  @Column({ name: 'retires_at', type: 'timestamptz', nullable: true })
  retiresAt: Date | null;
}
