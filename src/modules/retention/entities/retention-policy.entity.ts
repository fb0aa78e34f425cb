import { Column, Entity, ForeignKey, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** How long an account keeps contents, in days; null: no rule. Accounts without a row have none. */
@Entity('retention_policies')
export class RetentionPolicy {
  @ForeignKey('accounts', { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'int' })
  accountId: number;

  @Column({ type: 'int', nullable: true })
  recordingsDays: number | null;

  @Column({ type: 'int', nullable: true })
  transcriptsDays: number | null;

  @Column({ type: 'int', nullable: true })
  variablesDays: number | null;

  @Column({ type: 'int', nullable: true })
  conversationsDays: number | null;

  @Column({ type: 'int', nullable: true })
  smsDays: number | null;

  @Column({ type: 'int', nullable: true })
  deliveriesDays: number | null;

  @Column({ type: 'boolean', default: false })
  maskNumbers: boolean;

  @UpdateDateColumn({ type: 'timestamptz' })
  updatedAt: Date;
}
