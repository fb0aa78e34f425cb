import { until } from '../support/until.js';
import type { TestAccount } from './account.js';

type Created = { data: { id: number } };
type Shown = { data: { status: string } };

/** A base with a text for each name, all of them searchable; each takes a process. @returns its id */
export async function aKnowledgeBase(
  user: TestAccount,
  texts: Record<string, string>,
  fields: object = {},
): Promise<number> {
  const { body } = await user.client.post<Created>('/user/knowledgebases', { name: 'Help', ...fields });
  await addDocuments(user, body.data.id, texts);
  return body.data.id;
}

/** All of them are searchable then. */
export async function addDocuments(
  { client }: TestAccount,
  base: number,
  texts: Record<string, string>,
): Promise<void> {
  const path = `/user/knowledgebases/${base}`;
  for (const [name, text] of Object.entries(texts)) {
    const form = new FormData();
    form.append('name', name);
    form.append('type', 'txt');
    form.append('file', new Blob([text]), `${name}.txt`);
    const answer = await client.send<Created>('POST', `${path}/documents`, form);
    if (answer.status !== 201) throw new Error(`no document: ${answer.text}`);
  }
  if (Object.keys(texts).length > 0)
    await until(async () => (await client.get<Shown>(path)).body.data.status === 'active');
}
