import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AssistantMode } from '../catalog.types.js';

@Entity('language_models')
export class LanguageModel {
  @PrimaryColumn({ type: 'int' })
  id: number;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text' })
  mode: AssistantMode;
}
