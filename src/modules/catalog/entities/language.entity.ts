import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('languages')
export class Language {
  @PrimaryColumn({ type: 'int' })
  id: number;

  @Column({ type: 'text' })
  name: string;

  /** ISO 639-1 */
  @Column({ name: 'iso_2', type: 'char', length: 2 })
  iso2: string;

  /** BCP 47, as carriers and speech providers ask for it. */
  @Column({ type: 'text' })
  tag: string;
}
