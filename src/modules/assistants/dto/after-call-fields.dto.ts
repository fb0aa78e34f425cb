import { BooleanField, EnumField, IntegerField, UrlField } from '#src/common/validation/fields.js';
import { NestedField } from '#src/common/validation/object-fields.js';
import { REDACTIONS, type Redaction } from '../../redaction/redaction-options.js';
import { AssistantRetention } from '../../retention/retention-fields.js';
import { ASSISTANT_DEFAULTS } from '../assistant-defaults.js';
import { AssistantListeningFields } from './listening-fields.dto.js';

const INACTIVITY_MINUTES = ASSISTANT_DEFAULTS.conversationInactivityTimeout;

/** What happens with a call or a conversation that has ended: its evaluation and its webhooks. */
export class AssistantAfterCallFields extends AssistantListeningFields {
  @BooleanField({ required: false, default: ASSISTANT_DEFAULTS.postCallEvaluation })
  post_call_evaluation?: boolean;

  @BooleanField({ required: false, default: ASSISTANT_DEFAULTS.sendWebhookOnlyOnCompleted })
  send_webhook_only_on_completed?: boolean;

  @BooleanField({ required: false, default: ASSISTANT_DEFAULTS.includeRecordingInWebhook })
  include_recording_in_webhook?: boolean;

  @BooleanField({ required: false, default: ASSISTANT_DEFAULTS.isWebhookActive })
  is_webhook_active?: boolean;

  @UrlField({
    description: 'Post-call notifications. Required when `is_webhook_active` is true.',
    example: 'https://example.com/calls',
    required: false,
  })
  webhook_url?: string | null;

  @UrlField({
    description: 'Notifications of inbound calls; null ends them. Its own endpoints set it too.',
    example: 'https://example.com/calls',
    required: false,
    nullable: true,
  })
  inbound_webhook_url?: string | null;

  @UrlField({
    description:
      'Notifications of text conversations that have ended; null ends them. Its own endpoints set it too.',
    example: 'https://example.com/calls',
    required: false,
    nullable: true,
  })
  conversation_ended_webhook_url?: string | null;

  @IntegerField({
    min: 1,
    max: 1440,
    description: `Minutes without a message after which a text conversation has ended; null: ${INACTIVITY_MINUTES}.`,
    required: false,
    nullable: true,
    default: INACTIVITY_MINUTES,
  })
  conversation_inactivity_timeout?: number | null;

  @NestedField(() => AssistantRetention, {
    description:
      'How long the contents of its calls and conversations are kept; of each number and that of the account ' +
      '(`/user/retention`) the smaller one counts. It is replaced as a whole; null: as the account.',
    required: false,
    nullable: true,
  })
  retention?: AssistantRetention | null;

  @EnumField(REDACTIONS, {
    description:
      'Keeps card numbers, IBANs, national ids, telephone numbers, e-mail addresses and pressed keys out of what is ' +
      'stored and sent of calls and text conversations (`store`), and of what the language model gets (`model`, not of ' +
      'multimodal assistants). Recordings are not altered.',
    required: false,
    default: ASSISTANT_DEFAULTS.redaction,
  })
  redaction?: Redaction;
}
