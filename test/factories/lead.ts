import type { TestAccount } from './account.js';

export interface TestContact {
  id: number;
  phone_number: string;
  variables: Record<string, unknown>;
  status: string;
  attempts: number;
  next_attempt_at: string | null;
  last_outcome: string | null;
  created_at: string;
  updated_at: string;
}

export interface TestLead extends TestContact {
  campaign_id: number;
  campaign: { id: number; name: string };
  secondary_contacts: TestContact[];
}

let sequence = 0;

/** A fictional number, unique in this process. */
export function aNumber(): string {
  sequence++;
  return `+1${201 + Math.floor(sequence / 10_000)}555${String(sequence % 10_000).padStart(4, '0')}`;
}

/** Creates a lead through the API. */
export async function aLead(
  account: TestAccount,
  campaignId: number,
  fields: Record<string, unknown> = {},
): Promise<TestLead> {
  const { status, text, body } = await account.client.post<{ data: TestLead }>('/user/lead', {
    phone_number: aNumber(),
    campaign_id: campaignId,
    ...fields,
  });
  if (status !== 200) throw new Error(`the lead was not created: ${status} ${text}`);
  return body.data;
}
