import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant, assistantBody } from '../factories/assistant.js';
import { database } from '../support/database.js';

interface Group {
  id: number;
  name: string;
  color: string;
  assistants_count: number;
}
type Fields = Record<string, unknown>;
type One = { message?: string; data: Group; errors?: Fields };
type List = { data: Group[]; current_page: number; per_page: number; total: number };

const INVALID = 'The given data was invalid.';
const TAKEN = { message: INVALID, errors: { name: ['The name has already been taken.'] } };
const COLORS = ['gray', 'slate', 'red', 'orange', 'amber', 'green', 'teal', 'blue', 'purple', 'pink'];
let sequence = 0;
const aName = (): string => `Group ${++sequence}`;

/** What is foreign, missing or wrong, in path and body, and every field's limits: test/http/matrix.e2e.ts. */
describe.each([
  { kind: 'folder', plural: 'folders', title: 'Folder', field: 'folder_id' },
  { kind: 'label', plural: 'labels', title: 'Label', field: 'label_ids' },
])('$plural of assistants', ({ kind, plural, title, field }) => {
  let user: TestAccount;
  let other: TestAccount;

  beforeAll(async () => {
    [user, other] = await Promise.all([anAccount({ plan: 'unlimited' }), anAccount()]);
  });

  const create = async (fields: Fields = {}, { client } = user): Promise<Group> => {
    const { status, body } = await client.post<One>(`/user/${plural}`, { name: aName(), ...fields });
    expect([status, body.message]).toEqual([201, `${title} created successfully`]);
    return body.data;
  };
  const one = async (id: number) => (await user.client.get<One>(`/user/${plural}/${id}`)).body.data;
  const asGiven = (id: number) => (field === 'label_ids' ? [id] : id);
  const none = field === 'label_ids' ? [] : null;
  const shape = async (id: number) =>
    (await user.client.get<{ data: Fields }>(`/user/assistant/${id}`)).body.data;

  it('are created with a colour, gray without one, under both paths', async () => {
    const [plain, singular] = [aName(), aName()];
    expect(await create({ name: plain })).toEqual({
      id: expect.any(Number),
      name: plain,
      color: 'gray',
      assistants_count: 0,
    });
    const { status, body } = await user.client.post<One>(`/user/${kind}`, { name: singular, color: 'pink' });
    expect([status, body]).toEqual([
      201,
      {
        message: `${title} created successfully`,
        data: { id: expect.any(Number), name: singular, color: 'pink', assistants_count: 0 },
      },
    ]);
    for (const color of COLORS) expect((await create({ color })).color).toBe(color);
    const wrong = await user.client.post<One>(`/user/${plural}`, { name: aName(), color: 'magenta' });
    expect([wrong.status, wrong.body.errors]).toEqual([422, { color: ['The selected color is invalid.'] }]);
  });

  it('are listed in pages, the newest first, to each account its own', async () => {
    const { client } = other;
    const [first, second] = [await create({}, other), await create({}, other)];
    const { body: all } = await client.get<List>(`/user/${plural}`);
    expect(all).toMatchObject({ data: [second, first], current_page: 1, per_page: 15, total: 2 });
    const { body: page } = await client.get<List>(`/user/${plural}?per_page=1&page=2`);
    expect(page).toMatchObject({ data: [first], current_page: 2, per_page: 1, total: 2 });
  });

  it('are renamed and deleted under both paths', async () => {
    for (const path of [kind, plural]) {
      const { id } = await create({ color: 'red' });
      const name = aName();
      const renamed = await user.client.put<One>(`/user/${path}/${id}`, { name });
      const data = { id, name, color: 'red', assistants_count: 0 };
      expect([renamed.status, renamed.body]).toEqual([
        200,
        { message: `${title} updated successfully`, data },
      ]);
      const back = await user.client.put<One>(`/user/${path}/${id}`, await one(id));
      expect([back.status, back.body.data]).toEqual([200, data]);
      const deleted = await user.client.delete(`/user/${path}/${id}`);
      expect([deleted.status, deleted.body]).toEqual([200, { message: `${title} deleted successfully` }]);
      const again = await user.client.delete(`/user/${path}/${id}`);
      const text = `${title} not found`;
      expect([again.status, again.body]).toEqual([404, { message: text, error: text }]);
    }
  });

  it('have unique names, also in a race, and free again after a deletion', async () => {
    const [{ name, id }, { id: later }] = [await create(), await create()];
    const again = await user.client.post(`/user/${kind}`, { name });
    expect([again.status, again.body]).toEqual([422, TAKEN]);
    const renamed = await user.client.put(`/user/${plural}/${later}`, { name });
    expect([renamed.status, renamed.body]).toEqual([422, TAKEN]);
    const raced = aName();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => user.client.post(`/user/${plural}`, { name: raced })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422]);
    await user.client.delete(`/user/${plural}/${id}`);
    await create({ name });
    await create({ name }, other);
  });

  it('are created once for an Idempotency-Key', async () => {
    const name = aName();
    const keyed = { 'Idempotency-Key': `${kind}-${user.id}` };
    const first = await user.client.post<One>(`/user/${plural}`, { name }, keyed);
    const second = await user.client.post<One>(`/user/${plural}`, { name }, keyed);
    expect([second.status, second.text]).toEqual([201, first.text]);
  });

  it('are at most 100 of a kind', async () => {
    const full = await anAccount();
    await database().query(
      `INSERT INTO assistant_groups (account_id, kind, name, color)
         SELECT $1, $2, 'Group ' || n, 'gray' FROM generate_series(1, 99) n`,
      [full.id, kind],
    );
    const answers = await Promise.all(
      ['a', 'b'].map((name) => full.client.post(`/user/${plural}`, { name })),
    );
    const refused = answers.find(({ status }) => status !== 201);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
    const message = `You have reached the limit of 100 ${plural}. Please delete one to create more.`;
    expect(refused?.body).toEqual({ message });
    // The other kind has its own limit.
    const otherKind = kind === 'folder' ? 'labels' : 'folders';
    expect((await full.client.post(`/user/${otherKind}`, { name: 'a' })).status).toBe(201);
  });

  it('count the assistants that have them, and filter the lists', async () => {
    const [mine, second] = [await create(), await create()];
    const id = await anAssistant(user, { [field]: asGiven(mine.id) });
    const elsewhere = await anAssistant(user);
    expect(await shape(id)).toMatchObject({ [field]: asGiven(mine.id) });
    expect((await one(mine.id)).assistants_count).toBe(1);
    const query = `${kind}_id=${mine.id}`;
    const { body: list } = await user.client.get<Fields[]>(`/user/assistants?${query}`);
    expect(list).toEqual([expect.objectContaining({ id, [field]: asGiven(mine.id) })]);
    const { body: page } = await user.client.get<List>(`/user/assistants/get?${query}&type=outbound`);
    expect([page.total, page.data.map((row) => row.id)]).toEqual([1, [id]]);
    const { body: foreign } = await other.client.get<Fields[]>(`/user/assistants?${query}`);
    expect(foreign).toEqual([]);

    const before = await shape(id);
    expect((await user.client.put(`/user/assistant/${id}`, before)).status).toBe(200);
    expect(await shape(id)).toEqual(before);
    await user.client.put(`/user/assistant/${id}`, { [field]: asGiven(second.id) });
    await user.client.put(`/user/assistant/${elsewhere}`, { [field]: asGiven(second.id) });
    expect([(await one(mine.id)).assistants_count, (await one(second.id)).assistants_count]).toEqual([0, 2]);
    await user.client.delete(`/user/assistant/${elsewhere}`);
    expect((await one(second.id)).assistants_count).toBe(1);
    await user.client.delete(`/user/${plural}/${second.id}`);
    expect(await shape(id)).toMatchObject({ [field]: none });
    await user.client.put(`/user/assistant/${id}`, { [field]: asGiven(mine.id) });
    expect((await user.client.put(`/user/assistant/${id}`, { [field]: none })).status).toBe(200);
    expect(await shape(id)).toMatchObject({ [field]: none });
  });

  it('of another account or of the other kind are not found by an assistant', async () => {
    const theirs = await create({}, other);
    const otherKind = await user.client.post<One>(`/user/${kind === 'folder' ? 'label' : 'folder'}`, {
      name: aName(),
    });
    const errors = { [field]: [`The selected ${field.replaceAll('_', ' ')} is invalid.`] };
    const id = await anAssistant(user);
    for (const wrong of [theirs.id, otherKind.body.data.id, 2_147_483_000]) {
      const given = { [field]: asGiven(wrong) };
      for (const answer of [
        await user.client.post<Fields>('/user/assistant', assistantBody(given)),
        await user.client.put<Fields>(`/user/assistant/${id}`, given),
      ]) {
        expect([answer.status, answer.body]).toEqual([422, { message: 'Validation failed', errors }]);
      }
      const read = await user.client.get(`/user/${plural}/${wrong}`);
      const text = `${title} not found`;
      expect([read.status, read.body]).toEqual([404, { message: text, error: text }]);
    }
  });
});

it('an assistant has several labels, each once', async () => {
  const { client } = await anAccount();
  const label = async (name: string) => (await client.post<One>('/user/label', { name })).body.data.id;
  const ids = [await label('a'), await label('b')];
  const answer = await client.post<One>('/user/assistant', assistantBody({ label_ids: [...ids, ...ids] }));
  const path = `/user/assistant/${answer.body.data.id}`;
  expect((await client.get<{ data: Fields }>(path)).body.data.label_ids).toEqual(ids);
  await client.put(path, { label_ids: [String(ids[1])] });
  expect((await client.get<{ data: Fields }>(path)).body.data.label_ids).toEqual([ids[1]]);
});
