import { Entity, PrimaryColumn } from 'typeorm';

/** The only row tells this database's jobs from those of another service on the same Redis. */
@Entity('installation')
export class Installation {
  @PrimaryColumn({ type: 'uuid' })
  id: string;
}
