import { BooleanField, EnumField, IdField, IntegerField, TextField } from '#src/common/validation/fields.js';
import { IdListField, ListField } from '#src/common/validation/object-fields.js';
import { ASSISTANT_DEFAULTS } from '../assistant-defaults.js';
import { FIRST_SPEAKERS, TransferNumber, type FirstSpeaker } from '../assistant.types.js';
import { BuiltInToolsField } from '../built-in-tools.js';
import { WidgetSettingsField } from '../widget-settings.js';
import { AssistantConversationFields } from './conversation-fields.dto.js';
import { CALL_SECONDS, REENGAGEMENT_SECONDS } from './response-names.dto.js';

const SECONDS = 'Seconds.';
const provider = (what: string) => ({
  description: `Who ${what}; null: the carrier or the browser. Both providers are set, or none.`,
  required: false,
  nullable: true,
});

/** Time limits of a call, and what the carrier, the widget and the providers do in it. */
export class AssistantCallFields extends AssistantConversationFields {
  @IntegerField({
    ...REENGAGEMENT_SECONDS,
    description: SECONDS,
    required: false,
    default: ASSISTANT_DEFAULTS.reengagementInterval,
  })
  re_engagement_interval?: number;

  @TextField({
    max: 500,
    description:
      'What the assistant is to do when the customer is silent; null: ask whether somebody is there.',
    example: 'Ask whether the customer needs a moment.',
    required: false,
    nullable: true,
  })
  reengagement_prompt?: string | null;

  @IntegerField({
    min: 5,
    max: 120,
    description: 'Seconds that an outbound call rings. Without it the setting `RING_TIMEOUT_SECONDS` counts.',
    required: false,
    // Stored as null: the default of that setting.
    default: 30,
  })
  ringing_time?: number;

  @IntegerField({
    ...CALL_SECONDS,
    description: SECONDS,
    required: false,
    default: ASSISTANT_DEFAULTS.maxCallDuration,
  })
  max_call_duration?: number;

  @IntegerField({
    min: 1,
    max: 120,
    description: SECONDS,
    required: false,
    default: ASSISTANT_DEFAULTS.maxSilenceDuration,
  })
  max_silence_duration?: number;

  @IntegerField({
    min: 1,
    max: 120,
    description: 'Seconds without a first word of the customer; null: as `max_silence_duration`.',
    required: false,
    nullable: true,
  })
  max_initial_silence_duration?: number | null;

  @BooleanField({ required: false, default: ASSISTANT_DEFAULTS.endCallOnVoicemail })
  end_call_on_voicemail?: boolean;

  @TextField({
    max: 1000,
    description: 'Spoken to an answering machine after its beep; null: nothing.',
    example: 'Hello, this is Ada. Please call us back.',
    required: false,
    nullable: true,
  })
  voice_mail_message?: string | null;

  @ListField(() => TransferNumber, {
    max: 20,
    description: 'Whom the assistant can hand a call over to.',
    required: false,
    default: ASSISTANT_DEFAULTS.transferNumbers,
  })
  transfer_numbers?: TransferNumber[];

  @BuiltInToolsField({ required: false, nullable: true, default: ASSISTANT_DEFAULTS.builtInTools })
  tools?: unknown[] | null;

  @IdField({ description: 'One of your folders; null: none.', required: false, nullable: true })
  folder_id?: number | null;

  @BooleanField({ required: false, default: ASSISTANT_DEFAULTS.noiseCancellation })
  noise_cancellation?: boolean;

  @BooleanField({ required: false, default: ASSISTANT_DEFAULTS.recordCall })
  record_call?: boolean;

  @EnumField(FIRST_SPEAKERS, {
    required: false,
    // Stored as a flag.
    default: 'AI assistant' satisfies FirstSpeaker,
  })
  who_speaks_first?: FirstSpeaker;

  @WidgetSettingsField({ required: false, default: ASSISTANT_DEFAULTS.widgetSettings })
  widget_settings?: Record<string, unknown>;

  @IdListField({
    max: 5,
    description:
      'Ids of voices of other speech providers, or of other voices of the same one, that speak in this order when a ' +
      'provider fails in a call.',
    required: false,
    default: ASSISTANT_DEFAULTS.fallbackVoiceIds,
  })
  fallback_voice_ids?: number[];

  @IdField(provider('speaks'))
  synthesizer_provider_id?: number | null;

  @IdField(provider('writes down what the customer says'))
  transcriber_provider_id?: number | null;
}
