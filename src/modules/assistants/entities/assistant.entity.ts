import {
  Check,
  Column,
  CreateDateColumn,
  DeleteDateColumn,
  Entity,
  ForeignKey,
  Generated,
  Index,
  PrimaryGeneratedColumn,
  UpdateDateColumn,
  VirtualColumn,
} from 'typeorm';
import type { AssistantMode } from '../../catalog/catalog.types.js';
import type { Redaction } from '../../redaction/redaction-options.js';
import type { StoredAssistantRetention } from '../../retention/retention-fields.js';
import type {
  AmbientSound,
  AssistantStatus,
  AssistantType,
  BuiltInTool,
  CallerIdLookup,
  EndpointType,
  FillerConfig,
  KnowledgebaseMode,
  PostCallField,
  TransferNumber,
} from '../assistant.types.js';

@Entity('assistants')
@Check(
  'assistants_caller_id_lookup_check',
  "(caller_id_lookup = ANY (ARRAY['always'::text, 'attested'::text, 'never'::text]))",
)
@Check('assistants_endpoint_type_check', "(endpoint_type = ANY (ARRAY['vad'::text, 'ai'::text]))")
@Check('assistants_mode_check', "(mode = ANY (ARRAY['pipeline'::text, 'multimodal'::text]))")
@Check('assistants_redaction_check', "(redaction = ANY (ARRAY['off'::text, 'store'::text, 'model'::text]))")
@Check('assistants_status_check', "(status = ANY (ARRAY['active'::text, 'inactive'::text]))")
@Check('assistants_type_check', "(type = ANY (ARRAY['inbound'::text, 'outbound'::text]))")
@Index('assistants_account', { synchronize: false })
@Index('assistants_inbound_number', ['phoneNumberId'], {
  unique: true,
  where: "((type = 'inbound'::text) AND (deleted_at IS NULL))",
})
@Check(
  'assistants_knowledgebase_mode_check',
  "(knowledgebase_mode = ANY (ARRAY['function_call'::text, 'prompt'::text]))",
)
@Index('assistants_knowledgebase', ['knowledgebaseId'], { where: '(knowledgebase_id IS NOT NULL)' })
@Index('assistants_retention', ['accountId'], { where: '(retention IS NOT NULL)' })
@Index('assistants_folder', ['folderId'], { where: '(folder_id IS NOT NULL)' })
export class Assistant {
  @PrimaryGeneratedColumn('identity', { type: 'int', generatedIdentity: 'ALWAYS' })
  id: number;

  @Generated('uuid')
  @Column({ type: 'uuid', unique: true })
  uuid: string;

  @ForeignKey('accounts', { onDelete: 'CASCADE' })
  @Column({ type: 'int' })
  accountId: number;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text' })
  type: AssistantType;

  @Column({ type: 'text' })
  mode: AssistantMode;

  @Column({ type: 'text', default: 'active' })
  status: AssistantStatus;

  @ForeignKey('phone_numbers', { onDelete: 'SET NULL' })
  @Column({ type: 'int', nullable: true })
  phoneNumberId: number | null;

  @ForeignKey('voices')
  @Column({ type: 'int' })
  voiceId: number;

  @ForeignKey('languages')
  @Column({ type: 'int' })
  languageId: number;

  @ForeignKey('language_models')
  @Column({ type: 'int' })
  llmModelId: number;

  @ForeignKey('language_models')
  @Column({ type: 'int', nullable: true })
  llmFallbackModelId: number | null;

  @Column({ type: 'text' })
  timezone: string;

  @Column({ type: 'text' })
  initialMessage: string;

  @Column({ type: 'text' })
  systemPrompt: string;

  @Column({ type: 'jsonb' })
  variables: Record<string, unknown>;

  @Column({ type: 'boolean' })
  postCallEvaluation: boolean;

  @Column({ type: 'jsonb' })
  postCallSchema: PostCallField[];

  /** When the assistant may end the call. */
  @Column({ type: 'text', nullable: true })
  endCallDescription: string | null;

  @Column({ type: 'boolean' })
  isWebhookActive: boolean;

  @Column({ type: 'text', nullable: true })
  webhookUrl: string | null;

  @Column({ type: 'text', nullable: true })
  inboundWebhookUrl: string | null;

  @Column({ type: 'text', nullable: true })
  conversationEndedWebhookUrl: string | null;

  /** Minutes without a message after which a text conversation has ended. */
  @Column({ type: 'int', default: 10 })
  conversationInactivityTimeout: number;

  @Column({ type: 'boolean' })
  sendWebhookOnlyOnCompleted: boolean;

  @Column({ type: 'boolean' })
  includeRecordingInWebhook: boolean;

  @Column({ type: 'float8' })
  llmTemperature: number;

  @Column({ type: 'float8' })
  voiceStability: number;

  @Column({ type: 'float8' })
  voiceSimilarity: number;

  @Column({ type: 'float8' })
  speechSpeed: number;

  @Column({ type: 'boolean' })
  allowInterruptions: boolean;

  @Column({ type: 'boolean' })
  fillerAudios: boolean;

  /** Of the language. */
  @Column({ type: 'jsonb' })
  fillerConfig: FillerConfig;

  /** Fillers of the user, which take precedence. */
  @Column({ type: 'jsonb', nullable: true })
  writtenFillers: FillerConfig | null;

  @Column({ type: 'boolean' })
  recordCall: boolean;

  @Column({ type: 'boolean' })
  noiseCancellation: boolean;

  @Column({ type: 'boolean' })
  waitForCustomer: boolean;

  /** Seconds. */
  @Column({ type: 'int' })
  maxCallDuration: number;

  /** Seconds. */
  @Column({ type: 'int' })
  maxSilenceDuration: number;

  /** Seconds; null: as `maxSilenceDuration`. */
  @Column({ type: 'int', nullable: true })
  maxInitialSilenceDuration: number | null;

  /** Seconds. */
  @Column({ type: 'int' })
  reengagementInterval: number;

  @Column({ type: 'text', nullable: true })
  reengagementPrompt: string | null;

  /** Seconds; null: the installation's setting. */
  @Column({ type: 'int', nullable: true })
  ringingTime: number | null;

  @Column({ type: 'boolean' })
  endCallOnVoicemail: boolean;

  @Column({ type: 'text', nullable: true })
  voiceMailMessage: string | null;

  @Column({ type: 'jsonb', default: [] })
  transferNumbers: TransferNumber[];

  @Column({ type: 'text', default: 'always' })
  callerIdLookup: CallerIdLookup;

  /** Which numbers of conversations are kept out, see `REDACTIONS`. */
  @Column({ type: 'text', default: 'off' })
  redaction: Redaction;

  /** Built-in tools, from `tools` in requests. */
  @Column({ type: 'jsonb', default: [] })
  builtInTools: BuiltInTool[];

  @ForeignKey('assistant_groups', { onDelete: 'SET NULL' })
  @Column({ type: 'int', nullable: true })
  folderId: number | null;

  @ForeignKey('knowledge_bases', { onDelete: 'SET NULL' })
  @Column({ type: 'int', nullable: true })
  knowledgebaseId: number | null;

  @Column({ type: 'text', default: 'function_call' })
  knowledgebaseMode: KnowledgebaseMode;

  @Column({ type: 'text' })
  endpointType: EndpointType;

  @Column({ type: 'float8' })
  endpointSensitivity: number;

  @Column({ type: 'float8' })
  interruptSensitivity: number;

  @Column({ type: 'boolean' })
  useMinInterruptWords: boolean;

  @Column({ type: 'int' })
  minInterruptWords: number;

  @Column({ type: 'text' })
  ambientSound: AmbientSound;

  @Column({ type: 'float8' })
  ambientSoundVolume: number;

  @Column({ type: 'jsonb' })
  widgetSettings: Record<string, unknown>;

  /** Null: as the account's. */
  @Column({ type: 'jsonb', nullable: true })
  retention: StoredAssistantRetention | null;

  /** Speak in this order in calls in which the voices before have failed. */
  @Column({ type: 'int', array: true, default: [] })
  fallbackVoiceIds: number[];

  /** Null: the carrier's or the browser's speech. */
  @Column({ type: 'int', nullable: true })
  synthesizerProviderId: number | null;

  @Column({ type: 'int', nullable: true })
  transcriberProviderId: number | null;

  /** Ids of the attached tools, ascending: read only, they are written as rows of `assistant_tools`. */
  @VirtualColumn({
    query: (alias) =>
      `ARRAY(SELECT tool_id FROM assistant_tools WHERE assistant_id = ${alias}.id ORDER BY tool_id)`,
  })
  toolIds: number[];

  /** Ids of the labels, ascending: read only, they are written as rows of `assistant_labels`. */
  @VirtualColumn({
    query: (alias) =>
      `ARRAY(SELECT label_id FROM assistant_labels WHERE assistant_id = ${alias}.id ORDER BY label_id)`,
  })
  labelIds: number[];

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  updatedAt: Date;

  /** `find` leaves out rows that have it. */
  @DeleteDateColumn({ type: 'timestamptz' })
  deletedAt: Date | null;
}
