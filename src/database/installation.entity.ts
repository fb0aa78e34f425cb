import { Entity, PrimaryColumn } from 'typeorm';

/** The only row identifies this database's jobs on a Redis that several services share. */
@Entity('installation')
export class Installation {
  @PrimaryColumn({ type: 'uuid' })
  id: string;
}
