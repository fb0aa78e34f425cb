import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The only row identifies this database's jobs on a Redis that several services share. */
@Entity('installation')
export class Installation {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  /** Where the database was when a service last used it, see `readIdentity`; null: no service has used it yet. */
  @Column({ type: 'text', nullable: true })
  databaseIdentity: string | null;

  /** When a service last used it, to about ten seconds. */
  @Column({ type: 'timestamptz', nullable: true })
  seenAt: Date | null;

  /** Nothing is dialled, sent or charged while this is set. Null: released, or never restored. */
  @Column({ type: 'timestamptz', nullable: true })
  restoredAt: Date | null;

  /** The moment that the database shows: what the carrier was asked for since is not in it. */
  @Column({ type: 'timestamptz', nullable: true })
  restoredTo: Date | null;

  /** How the restore was noticed, in words. */
  @Column({ type: 'text', nullable: true })
  restoredBecause: string | null;
}
