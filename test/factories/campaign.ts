import type { TestAccount } from './account.js';
import { anAssistant } from './assistant.js';

/** Creates a campaign through the API, with a new assistant unless one is given. */
export async function aCampaign(account: TestAccount, fields: Record<string, unknown> = {}): Promise<number> {
  const assistant_id = fields.assistant_id ?? (await anAssistant(account));
  const { status, text, body } = await account.client.post<{ data: { id: number } }>('/user/campaigns', {
    name: 'Spring offer',
    ...fields,
    assistant_id,
  });
  if (status !== 201) throw new Error(`the campaign was not created: ${status} ${text}`);
  return body.data.id;
}
