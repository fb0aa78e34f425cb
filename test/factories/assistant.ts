import type { TestAccount } from './account.js';

/** The required fields of an assistant. */
export const assistantBody = (fields: Record<string, unknown> = {}): Record<string, unknown> => ({
  assistant_name: 'Front desk',
  voice_id: 1,
  language: 'English',
  llm_model: 'gpt-6-luna',
  calls_direction: 'make',
  engine_type: 'pipeline',
  timezone: 'Europe/Berlin',
  initial_message: 'Hello, how can I help you?',
  system_prompt: 'You are the friendly voice of a bicycle shop.',
  ...fields,
});

/** Creates an assistant through the API. */
export async function anAssistant(
  account: TestAccount,
  fields: Record<string, unknown> = {},
): Promise<number> {
  const { status, text, body } = await account.client.post<{ data: { id: number } }>(
    '/user/assistant',
    assistantBody(fields),
  );
  if (status !== 201) throw new Error(`the assistant was not created: ${status} ${text}`);
  return body.data.id;
}
