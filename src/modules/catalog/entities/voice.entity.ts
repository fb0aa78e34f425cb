import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AssistantMode } from '../catalog.types.js';

@Entity('voices')
export class Voice {
  @PrimaryColumn({ type: 'int' })
  id: number;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text' })
  mode: AssistantMode;

  /** Null: speaks every language. */
  @Column({ name: 'language_id', type: 'int', nullable: true })
  languageId: number | null;

  @Column({ type: 'text' })
  gender: string;

  @Column({ type: 'text', nullable: true })
  accent: string | null;

  @Column({ name: 'preview_url', type: 'text', nullable: true })
  previewUrl: string | null;

  @Column({ type: 'text' })
  provider: string;

  /** The voice's name at its provider. */
  @Column({ name: 'provider_voice', type: 'text' })
  providerVoice: string;
}
