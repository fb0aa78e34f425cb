import { Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A replacement of all data keys, which one run of the command or several carry out. */
@Entity('key_rotations')
// Nulls are not distinct in it, which TypeORM cannot declare.
@Index('key_rotations_open', ['endedAt'], { unique: true, where: '(ended_at IS NULL)' })
export class KeyRotation {
  @PrimaryGeneratedColumn('identity', { type: 'int', generatedIdentity: 'ALWAYS' })
  id: number;

  /** The newest data key at the beginning: it and the older ones are replaced. */
  @Column({ type: 'int' })
  upTo: number;

  @CreateDateColumn({ type: 'timestamptz' })
  begunAt: Date;

  /** Null: not all is replaced and encrypted anew; one rotation at a time. */
  @Column({ type: 'timestamptz', nullable: true })
  endedAt: Date | null;
}
