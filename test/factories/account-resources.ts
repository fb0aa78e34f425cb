import { randomBytes } from 'node:crypto';
import type { Answer } from '../support/client.js';
import { database } from '../support/database.js';
import { RESOURCE_TESTS } from '../resources/index.js';
import { ROUTES } from '../support/routes.js';
import {
  BASIC_RESOURCES,
  type Resource,
  type ResourceTest,
  type AccountResources,
} from '../support/route.types.js';
import { anAccount, aPhoneNumber, type TestAccount } from './account.js';

const ADDED = Object.values(RESOURCE_TESTS);

type Created = { data: { id: number } } | { api_key: { id: number } };

/** Creates an account with one resource of every kind, through the API where possible. */
export async function anAccountWithResources(): Promise<AccountResources> {
  const account = await anAccount({ plan: 'unlimited', balance: 1000 });
  const uuids = { assistant: '', conversation: '' };
  const resources: AccountResources = { account, ids: {} as AccountResources['ids'], uuids };
  for (const resource of [...BASIC_RESOURCES, ...ADDED.map((test) => test.resource)]) {
    resources.ids[resource] = await make(resources, resource);
  }
  uuids.assistant = await uuidOf(resources.ids.assistant);
  uuids.conversation = await beginConversation(resources);
  return resources;
}

async function uuidOf(assistantId: number): Promise<string> {
  const sql = 'SELECT uuid FROM assistants WHERE id = $1';
  const { rows } = await database().query<{ uuid: string }>(sql, [assistantId]);
  return rows[0]?.uuid ?? '';
}

async function beginConversation({ account, uuids }: AccountResources): Promise<string> {
  const body = { assistant_id: uuids.assistant, type: 'test' };
  return (await account.client.post<{ conversation_id: string }>('/conversations', body)).body
    .conversation_id;
}

/** Resources that the API creates. */
const CREATED: Record<Resource, Pick<ResourceTest, 'path' | 'create'>> = {
  tool: { path: () => '/user/tools', create: 'createTool' },
  assistant: { path: () => '/user/assistant', create: 'createAssistant' },
  campaign: { path: () => '/user/campaigns', create: 'createCampaign' },
  lead: { path: () => '/user/lead', create: 'createLead' },
  ...Object.fromEntries(ADDED.map((test) => [test.resource, test])),
};

/** Creates another resource, for cases that change or delete it. @returns its id */
export async function make(resources: AccountResources, resource: Resource): Promise<number> {
  const { account } = resources;
  if (resource === 'call') return insertCall(resources);
  if (resource === 'sms') return insertSms(account);
  if (resource === 'delivery') return insertDelivery(resources);
  if (resource === 'phone number') return (await aPhoneNumber(account.id)).id;
  const created = CREATED[resource];
  if (!created) throw new Error(`nothing creates ${resource}`);
  const body = ROUTES[created.create]?.body?.(resources);
  const answer: Answer<Created> = await account.client.post<Created>(created.path(resources), body);
  if (answer.status >= 300) throw new Error(`no ${resource}: ${answer.text}`);
  return 'data' in answer.body ? answer.body.data.id : answer.body.api_key.id;
}

async function insert(sql: string, values: unknown[]): Promise<number> {
  const { rows } = await database().query<{ id: number }>(sql, values);
  return rows[0]?.id ?? 0;
}

const random = (): string => randomBytes(12).toString('hex');

function insertCall({ account, ids }: AccountResources): Promise<number> {
  return insert(
    `INSERT INTO calls (account_id, assistant_id, assistant_name, type, status, token, assistant_phone_number,
       client_phone_number, variables, price_per_minute_micros, max_duration, ended_at)
     VALUES ($1, $2, 'Ada', 'outbound', 'completed', $3, $4, '+15005550020', '{}', 0, 600, now()) RETURNING id`,
    [account.id, ids.assistant, random(), account.phoneNumber.phone_number],
  );
}

function insertSms(account: TestAccount): Promise<number> {
  return insert(
    `INSERT INTO sms_messages (account_id, phone_number_id, from_number, to_number, body, segments,
       segment_price_micros, total_cost_micros, status, token, sms_sid)
     VALUES ($1, $2, $3, '+15005550006', 'Hello', 1, 75000, 75000, 'delivered', $4, $4) RETURNING id`,
    [account.id, account.phoneNumber.id, account.phoneNumber.phone_number, random()],
  );
}

function insertDelivery({ account, ids }: AccountResources): Promise<number> {
  return insert(
    `INSERT INTO webhook_deliveries (account_id, event_key, channel, event, webhook_id, assistant_id, url, receiver,
       body, state)
     VALUES ($1, $2, 'post-call', 'call.completed', $2, $3, 'https://example.com/hook', 'example.com', '{}', 'dead')
     RETURNING id`,
    [account.id, random(), ids.assistant],
  );
}
