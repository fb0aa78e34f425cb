import { Check, Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

export const LIVE_EVENT_KINDS = ['status', 'turn', 'tool', 'ended', 'transfer'] as const;
export type LiveEventKind = (typeof LIVE_EVENT_KINDS)[number];

/** An event of a call for clients of the event streams; written by triggers and kept for an hour. */
@Entity('live_events')
@Check(
  'live_events_kind_check',
  "(kind = ANY (ARRAY['status'::text, 'turn'::text, 'tool'::text, 'ended'::text, 'transfer'::text]))",
)
@Index('live_events_account_seq', ['accountId', 'seq'], { unique: true, where: '(seq IS NOT NULL)' })
@Index('live_events_unnumbered', ['accountId', 'id'], { where: '(seq IS NULL)' })
@Index('live_events_call_id_idx', ['callId'])
@Index('live_events_campaign_seq', ['campaignId', 'seq'], {
  where: '((campaign_id IS NOT NULL) AND (seq IS NOT NULL))',
})
export class LiveEvent {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id: string;

  @Column({ type: 'int' })
  accountId: number;

  @Column({ type: 'int' })
  callId: number;

  @Column({ type: 'text' })
  kind: LiveEventKind;

  @Column({ type: 'json' })
  data: Record<string, unknown>;

  /** The event id for readers; null until the account's events are read. */
  @Column({ type: 'bigint', nullable: true })
  seq: string | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  /** Of a campaign's call, in events for the campaign's readers. */
  @Column({ type: 'int', nullable: true })
  campaignId: number | null;
}
