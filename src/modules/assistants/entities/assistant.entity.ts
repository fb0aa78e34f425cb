import {
  Column,
  CreateDateColumn,
  DeleteDateColumn,
  Entity,
  PrimaryGeneratedColumn,
  UpdateDateColumn,
  VirtualColumn,
} from 'typeorm';
import type { AssistantMode } from '../../catalog/catalog.types.js';
import type {
  AssistantStatus,
  AssistantType,
  EndpointType,
  FillerConfig,
  PostCallField,
} from '../assistant.types.js';

@Entity('assistants')
export class Assistant {
  @PrimaryGeneratedColumn({ type: 'int' })
  id: number;

  @Column({ type: 'uuid', insert: false })
  uuid: string;

  @Column({ name: 'account_id', type: 'int' })
  accountId: number;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text' })
  type: AssistantType;

  @Column({ type: 'text' })
  mode: AssistantMode;

  @Column({ type: 'text' })
  status: AssistantStatus;

  @Column({ name: 'phone_number_id', type: 'int', nullable: true })
  phoneNumberId: number | null;

  @Column({ name: 'voice_id', type: 'int' })
  voiceId: number;

  @Column({ name: 'language_id', type: 'int' })
  languageId: number;

  @Column({ name: 'llm_model_id', type: 'int' })
  llmModelId: number;

  @Column({ type: 'text' })
  timezone: string;

  @Column({ name: 'initial_message', type: 'text' })
  initialMessage: string;

  @Column({ name: 'system_prompt', type: 'text' })
  systemPrompt: string;

  @Column({ type: 'jsonb' })
  variables: Record<string, unknown>;

  @Column({ name: 'post_call_evaluation', type: 'boolean' })
  postCallEvaluation: boolean;

  @Column({ name: 'post_call_schema', type: 'jsonb' })
  postCallSchema: PostCallField[];

  /** When the assistant may end the call. */
  @Column({ name: 'end_call_description', type: 'text', nullable: true })
  endCallDescription: string | null;

  @Column({ name: 'is_webhook_active', type: 'boolean' })
  isWebhookActive: boolean;

  @Column({ name: 'webhook_url', type: 'text', nullable: true })
  webhookUrl: string | null;

  @Column({ name: 'inbound_webhook_url', type: 'text', nullable: true })
  inboundWebhookUrl: string | null;

  @Column({ name: 'send_webhook_only_on_completed', type: 'boolean' })
  sendWebhookOnlyOnCompleted: boolean;

  @Column({ name: 'include_recording_in_webhook', type: 'boolean' })
  includeRecordingInWebhook: boolean;

  @Column({ name: 'llm_temperature', type: 'float8' })
  llmTemperature: number;

  @Column({ name: 'voice_stability', type: 'float8' })
  voiceStability: number;

  @Column({ name: 'voice_similarity', type: 'float8' })
  voiceSimilarity: number;

  @Column({ name: 'speech_speed', type: 'float8' })
  speechSpeed: number;

  @Column({ name: 'allow_interruptions', type: 'boolean' })
  allowInterruptions: boolean;

  @Column({ name: 'filler_audios', type: 'boolean' })
  fillerAudios: boolean;

  @Column({ name: 'filler_config', type: 'jsonb' })
  fillerConfig: FillerConfig;

  @Column({ name: 'record_call', type: 'boolean' })
  recordCall: boolean;

  @Column({ name: 'noise_cancellation', type: 'boolean' })
  noiseCancellation: boolean;

  @Column({ name: 'wait_for_customer', type: 'boolean' })
  waitForCustomer: boolean;

  /** Seconds. */
  @Column({ name: 'max_call_duration', type: 'int' })
  maxCallDuration: number;

  /** Seconds. */
  @Column({ name: 'max_silence_duration', type: 'int' })
  maxSilenceDuration: number;

  /** Seconds. */
  @Column({ name: 'reengagement_interval', type: 'int' })
  reengagementInterval: number;

  @Column({ name: 'end_call_on_voicemail', type: 'boolean' })
  endCallOnVoicemail: boolean;

  @Column({ name: 'endpoint_type', type: 'text' })
  endpointType: EndpointType;

  @Column({ name: 'endpoint_sensitivity', type: 'float8' })
  endpointSensitivity: number;

  @Column({ name: 'interrupt_sensitivity', type: 'float8' })
  interruptSensitivity: number;

  @Column({ name: 'use_min_interrupt_words', type: 'boolean' })
  useMinInterruptWords: boolean;

  @Column({ name: 'min_interrupt_words', type: 'int' })
  minInterruptWords: number;

  @Column({ name: 'ambient_sound', type: 'text' })
  ambientSound: string;

  @Column({ name: 'ambient_sound_volume', type: 'float8' })
  ambientSoundVolume: number;

  @Column({ name: 'widget_settings', type: 'jsonb' })
  widgetSettings: Record<string, unknown>;

  /** Ids of the attached tools, ascending: read only, they are written as rows of `assistant_tools`. */
  @VirtualColumn({
    query: (alias) =>
      `ARRAY(SELECT tool_id FROM assistant_tools WHERE assistant_id = ${alias}.id ORDER BY tool_id)`,
  })
  toolIds: number[];

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' })
  updatedAt: Date;

  /** `find` leaves out rows that have it. */
  @DeleteDateColumn({ name: 'deleted_at', type: 'timestamptz' })
  deletedAt: Date | null;
}
