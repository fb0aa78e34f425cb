import { Check, Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { RecordingStorage } from '#src/config/recordings.env.js';

/** `new`: to be copied, if copies are wanted; `copied`: to be deleted at the carrier; `deleting`: everywhere. */
export type RecordingState = 'new' | 'copied' | 'kept' | 'deleting';

/** The recording of a call. Triggers on `calls` write it, so that it is in the transaction of its fact. */
@Entity('recordings')
@Check(
  'recordings_state_check',
  "(state = ANY (ARRAY['new'::text, 'copied'::text, 'kept'::text, 'deleting'::text]))",
)
@Check('recordings_storage_check', "(storage = ANY (ARRAY['carrier'::text, 'folder'::text, 's3'::text]))")
@Index('recordings_account_due', ['accountId', 'dueAt', 'id'], { where: "(state <> 'kept'::text)" })
export class Recording {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id: string;

  /** Of no foreign key, like `callId`: the row outlives both until the recording is deleted. */
  @Column({ type: 'int' })
  accountId: number;

  @Column({ type: 'int', unique: true })
  callId: number;

  /** As the carrier reported it; never shown. */
  @Column({ type: 'text' })
  carrierUrl: string;

  @Column({ type: 'text', default: 'new' })
  state: RecordingState;

  /** Where it is read. */
  @Column({ type: 'text', default: 'carrier' })
  storage: RecordingStorage;

  /** Name of the copy in its storage. */
  @Column({ type: 'text', nullable: true })
  objectKey: string | null;

  /** Of the copy. */
  @Column({ type: 'bigint', nullable: true })
  bytes: string | null;

  @Column({ type: 'text', nullable: true })
  contentType: string | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  dueAt: Date;

  @Column({ type: 'int', default: 0 })
  attempts: number;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;
}

/** A key that signs URLs of recordings. The newest signs, all of them verify. */
@Entity('recording_keys')
export class RecordingKey {
  @PrimaryGeneratedColumn('identity', { type: 'int', generatedIdentity: 'ALWAYS' })
  id: number;

  /** 32 bytes in base64, encrypted. */
  @Column({ type: 'text' })
  secret: string;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;
}
