import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';

interface SampleItem {
  id: number;
  name: string;
  note: string | null;
  created_at: string;
  updated_at: string;
}
type One = { message?: string; data: SampleItem };
type List = { data: SampleItem[]; total: number };

const PATH = '/user/sample-items';
const DATE_TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

/** Foreign, missing and invalid ids and values, and limits: test/http/matrix-*.e2e.ts. */
describe('sample items', () => {
  let user: TestAccount;
  let other: TestAccount;

  beforeAll(async () => {
    [user, other] = await Promise.all([anAccount(), anAccount()]);
  });

  const create = async (fields: object, { client } = user): Promise<SampleItem> => {
    const { status, body } = await client.post<One>(PATH, fields);
    expect([status, body.message]).toEqual([200, 'Sample item created successfully']);
    return body.data;
  };

  it('returns the fields that were given, and null for an absent note', async () => {
    const created = await create({ name: 'First' });
    expect(created).toEqual({
      id: expect.any(Number),
      name: 'First',
      note: null,
      created_at: expect.stringMatching(DATE_TIME),
      updated_at: expect.stringMatching(DATE_TIME),
    });
    expect((await create({ name: 'Second', note: 'Later' })).note).toBe('Later');
    const { body } = await user.client.get<One>(`${PATH}/${created.id}`);
    expect(body).toEqual({ data: created });
  });

  it('lists the newest first in pages, to each account its own', async () => {
    const { client } = other;
    const first = await create({ name: 'First' }, other);
    const second = await create({ name: 'Second' }, other);
    const { body: all } = await client.get<List>(PATH);
    expect([all.total, all.data]).toEqual([2, [second, first]]);
    const { body: page } = await client.get<List>(`${PATH}?per_page=1&page=2`);
    expect([page.total, page.data]).toEqual([2, [first]]);
  });

  it('keeps the fields that an update does not name, and clears the note with null', async () => {
    const { id } = await create({ name: 'First', note: 'Later' });
    const renamed = await user.client.put<One>(`${PATH}/${id}`, { name: 'Second' });
    expect([renamed.status, renamed.body.message]).toEqual([200, 'Sample item updated successfully']);
    expect(renamed.body.data).toMatchObject({ id, name: 'Second', note: 'Later' });
    const cleared = await user.client.put<One>(`${PATH}/${id}`, { note: null });
    expect(cleared.body.data).toMatchObject({ id, name: 'Second', note: null });
    const kept = await user.client.put<One>(`${PATH}/${id}`, {});
    expect(kept.body.data).toMatchObject({ id, name: 'Second', note: null });
  });

  it('does not find one that is deleted or of another account', async () => {
    const { id } = await create({ name: 'First' });
    const missing = [404, { message: 'Sample item not found' }];
    const foreign = await other.client.delete(`${PATH}/${id}`);
    expect([foreign.status, foreign.body]).toEqual(missing);
    const deleted = await user.client.delete(`${PATH}/${id}`);
    expect([deleted.status, deleted.body]).toEqual([200, { message: 'Sample item deleted successfully' }]);
    const again = await user.client.get(`${PATH}/${id}`);
    expect([again.status, again.body]).toEqual(missing);
  });
});
