import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccountWithResources, make } from '../factories/account-resources.js';
import { database } from '../support/database.js';
import type { AccountResources } from '../support/route.types.js';

interface NestedItem {
  id: number;
  sample_item_id: number;
  name: string;
  note: string | null;
  created_at: string;
  updated_at: string;
}
type One = { message?: string; data: NestedItem };
type List = { data: NestedItem[]; total: number };

const DATE_TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
const pathOf = (parent: number): string => `/user/sample-items/${parent}/nested-items`;

/** Foreign, missing and invalid ids and values, in path and body, and limits: test/http/matrix-*.e2e.ts. */
describe('nested items', () => {
  let resources: AccountResources;
  let parent: number;
  let otherParent: number;

  beforeAll(async () => {
    resources = await anAccountWithResources();
    parent = await make(resources, 'sampleItem');
    otherParent = await make(resources, 'sampleItem');
  });

  const create = async (fields: object, under = parent): Promise<NestedItem> => {
    const { status, body } = await resources.account.client.post<One>(pathOf(under), fields);
    expect([status, body.message]).toEqual([200, 'Nested item created successfully']);
    return body.data;
  };

  it('returns the fields that were given, and null for an absent note', async () => {
    const created = await create({ name: 'First' });
    expect(created).toEqual({
      id: expect.any(Number),
      sample_item_id: parent,
      name: 'First',
      note: null,
      created_at: expect.stringMatching(DATE_TIME),
      updated_at: expect.stringMatching(DATE_TIME),
    });
    expect((await create({ name: 'Second', note: 'Later' })).note).toBe('Later');
    const { body } = await resources.account.client.get<One>(`${pathOf(parent)}/${created.id}`);
    expect(body).toEqual({ data: created });
  });

  it('lists the newest first in pages, of one parent only', async () => {
    const { client } = resources.account;
    const under = await make(resources, 'sampleItem');
    const first = await create({ name: 'First' }, under);
    const second = await create({ name: 'Second' }, under);
    const { body: all } = await client.get<List>(pathOf(under));
    expect([all.total, all.data]).toEqual([2, [second, first]]);
    const { body: page } = await client.get<List>(`${pathOf(under)}?per_page=1&page=2`);
    expect([page.total, page.data]).toEqual([2, [first]]);
    const { body: none } = await client.get<List>(pathOf(otherParent));
    expect([none.total, none.data]).toEqual([0, []]);
  });

  it('keeps the fields that an update does not name, and clears the note with null', async () => {
    const { client } = resources.account;
    const { id } = await create({ name: 'First', note: 'Later' });
    const renamed = await client.put<One>(`${pathOf(parent)}/${id}`, { name: 'Second' });
    expect([renamed.status, renamed.body.message]).toEqual([200, 'Nested item updated successfully']);
    expect(renamed.body.data).toMatchObject({ id, name: 'Second', note: 'Later' });
    const cleared = await client.put<One>(`${pathOf(parent)}/${id}`, { note: null });
    expect(cleared.body.data).toMatchObject({ id, name: 'Second', note: null });
    const kept = await client.put<One>(`${pathOf(parent)}/${id}`, {});
    expect(kept.body.data).toMatchObject({ id, name: 'Second', note: null });
  });

  it('does not find one that is deleted or stands under another parent', async () => {
    const { client } = resources.account;
    const { id } = await create({ name: 'First' });
    const missing = [404, { message: 'Nested item not found' }];
    const elsewhere = await client.delete(`${pathOf(otherParent)}/${id}`);
    expect([elsewhere.status, elsewhere.body]).toEqual(missing);
    const deleted = await client.delete(`${pathOf(parent)}/${id}`);
    expect([deleted.status, deleted.body]).toEqual([200, { message: 'Nested item deleted successfully' }]);
    const again = await client.get(`${pathOf(parent)}/${id}`);
    expect([again.status, again.body]).toEqual(missing);
  });

  it("deletes the rows with their parent's row", async () => {
    const under = await make(resources, 'sampleItem');
    const { id } = await create({ name: 'First' }, under);
    await database().query('DELETE FROM sample_items WHERE id = $1', [under]);
    const { rows } = await database().query('SELECT id FROM nested_items WHERE id = $1', [id]);
    expect(rows).toEqual([]);
  });
});
