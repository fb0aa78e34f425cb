import { UrlField } from '#src/common/validation/fields.js';
import { flag, integer, setting } from './setting-kinds.js';

/** Minutes. The same for rows that are older than the setting. */
const DEFAULT_INACTIVITY_TIMEOUT = 10;

const url = (property: 'inboundWebhookUrl' | 'conversationEndedWebhookUrl', what: string) =>
  setting(property, UrlField, {
    default: null,
    nullable: true,
    description: `${what}; null ends them. Its own endpoints set it too.`,
    example: 'https://example.com/calls',
    schema: { type: 'string' },
  });

/** What an assistant tells, where and when; part of the table of settings. */
export const WEBHOOK_SETTINGS = {
  send_webhook_only_on_completed: flag('sendWebhookOnlyOnCompleted', { default: true }),
  include_recording_in_webhook: flag('includeRecordingInWebhook', { default: true }),
  is_webhook_active: flag('isWebhookActive', { default: false }),
  webhook_url: setting('webhookUrl', UrlField, {
    default: null,
    description: 'Post-call notifications. Required when `is_webhook_active` is true.',
    example: 'https://example.com/calls',
    update: {
      nullable: true,
      description:
        'Post-call notifications; null removes it and ends them. Required when `is_webhook_active` is true.',
    },
    schema: { type: 'string' },
  }),
  inbound_webhook_url: url('inboundWebhookUrl', 'Notifications of inbound calls'),
  conversation_ended_webhook_url: url(
    'conversationEndedWebhookUrl',
    'Notifications of text conversations that have ended',
  ),
  conversation_inactivity_timeout: integer('conversationInactivityTimeout', {
    min: 1,
    max: 1440,
    default: DEFAULT_INACTIVITY_TIMEOUT,
    nullable: true,
    description: `Minutes without a message after which a text conversation has ended; null: ${DEFAULT_INACTIVITY_TIMEOUT}.`,
    read: (minutes: number | null) => minutes ?? DEFAULT_INACTIVITY_TIMEOUT,
    schema: { type: 'integer', minimum: 1, maximum: 1440, description: 'Minutes.' },
  }),
};
