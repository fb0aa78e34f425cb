import type { AccountResources } from '../../../test/support/route.types.js';
import { randomAssistant } from '../../../test/support/random-assistant.js';
import { oneOf } from '../fuzz/odd-values.js';
import type { Random } from '../support/random.js';
import { writtenNumber } from './habits.js';

type Fields = Record<string, unknown>;

/** A resource that clients create, read, write back and delete. Paths are relative to the API prefix. */
export interface ResourceKind {
  create: string;
  /** Followed by the id. */
  one: string;
  /** In the documented form. */
  body(random: Random, resources: AccountResources): Fields;
  /** Fields that differ between two of the same content. */
  own?: readonly string[];
}

const somewhat = (random: Random, fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(() => random() < 0.5));

export const RESOURCE_KINDS: readonly ResourceKind[] = [
  { create: '/user/assistant', one: '/user/assistant', body: (random) => randomAssistant(random) },
  {
    create: '/user/tools',
    one: '/user/tools',
    body: (random) => ({
      name: 'check_order',
      description: 'Looks up an order.',
      endpoint: 'https://example.com/orders/{order_number}',
      method: oneOf(random, ['GET', 'POST']),
      ...somewhat(random, {
        timeout: 1 + Math.floor(random() * 30),
        headers: [{ name: 'X-Key', value: 'a b' }],
        schema: [{ name: 'order_number', type: 'string', description: 'The order' }],
      }),
    }),
  },
  {
    create: '/user/campaigns',
    one: '/user/campaigns',
    body: (random, { ids, account }) => ({
      name: 'Spring offer',
      assistant_id: ids.assistant,
      ...somewhat(random, {
        timezone: 'Asia/Tokyo',
        max_calls_in_parallel: 1 + Math.floor(random() * 10),
        allowed_hours_start_time: '09:30',
        allowed_days: ['monday', 'sunday'],
        windows: [{ days: ['friday'], start: '09:00', end: '24:00' }],
        strict_timezones: true,
        quiet_hours: 'auto',
        max_retries: 2,
        retry_on_voicemail: true,
        goal_completion_variable: 'status',
        mark_complete_when_no_leads: false,
        phone_number_ids: [account.phoneNumber.id],
      }),
    }),
  },
  {
    create: '/user/lead',
    one: '/user/leads',
    own: ['phone_number'],
    body: (random, { ids }) => ({
      phone_number: writtenNumber(random).written,
      campaign_id: ids.campaign,
      allow_dupplicate: true,
      ...somewhat(random, {
        variables: { name: 'Ada', order: { id: Math.floor(random() * 9) }, constructor: null },
        secondary_contacts: [{ phone_number: '+14155550199', variables: { of: 'Ada' } }],
      }),
    }),
  },
];
