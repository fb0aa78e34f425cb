import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anApiKey } from '../factories/api-key.js';
import { anAssistant, assistantBody } from '../factories/assistant.js';
import { auditLog } from '../support/audit.js';

const NOTHING = {
  recordings_days: null,
  transcripts_days: null,
  variables_days: null,
  conversations_days: null,
  sms_days: null,
  deliveries_days: null,
  mask_numbers: false,
};
const RANGE = 'field must be between 1 and 3650.';

describe('the retention of an account', () => {
  let user: TestAccount;
  let other: TestAccount;

  beforeAll(async () => {
    [user, other] = await Promise.all([anAccount(), anAccount()]);
  });

  const shown = async ({ client } = user): Promise<unknown> => (await client.get('/user/retention')).body;

  it('has no rule until somebody sets one', async () => {
    expect(await shown()).toEqual({ data: NOTHING });
  });

  it('is changed field by field, by its account only', async () => {
    const first = { recordings_days: 30, transcripts_days: '90', mask_numbers: true };
    const { status, body } = await user.client.put('/user/retention', first);
    const after = { ...NOTHING, recordings_days: 30, transcripts_days: 90, mask_numbers: true };
    expect([status, body]).toEqual([200, { message: 'Retention updated successfully', data: after }]);
    await user.client.put('/user/retention', { recordings_days: null, sms_days: 3650 });
    expect(await shown()).toEqual({ data: { ...after, recordings_days: null, sms_days: 3650 } });
    expect(await shown(other)).toEqual({ data: NOTHING });
  });

  it('stands in the audit log with the names of changed fields', async () => {
    const account = await anAccount();
    await account.client.put('/user/retention', { deliveries_days: 7, sms_days: 7, variables_days: null });
    await account.client.put('/user/retention', { deliveries_days: 7 });
    const entries = await auditLog(account, 'resource_type=retention');
    expect(entries.map(({ action, fields, details }) => [action, fields, details])).toEqual([
      ['retention.update', ['deliveries_days', 'sms_days'], {}],
    ]);
  });

  it.each([
    [{ recordings_days: 0 }, { recordings_days: [`The recordings days ${RANGE}`] }],
    [{ sms_days: 3651 }, { sms_days: [`The sms days ${RANGE}`] }],
    [{ deliveries_days: 1.5 }, { deliveries_days: ['The deliveries days field must be an integer.'] }],
    [{ mask_numbers: 'yes' }, { mask_numbers: ['The mask numbers field must be true or false.'] }],
  ])('refuses %j', async (body, errors) => {
    const answer = await user.client.put<{ errors: unknown }>('/user/retention', body);
    expect([answer.status, answer.body.errors]).toEqual([422, errors]);
  });

  it('is read with any key, and changed with `admin` only', async () => {
    const { client } = await anApiKey(user, { scopes: ['read', 'write'] });
    expect((await client.get('/user/retention')).status).toBe(200);
    const { status, body } = await client.put('/user/retention', { sms_days: 1 });
    expect([status, body]).toEqual([403, { message: 'This action is unauthorized.' }]);
  });
});

describe('the retention of an assistant', () => {
  let user: TestAccount;

  beforeAll(async () => {
    user = await anAccount();
  });

  const shownOf = async (id: number): Promise<unknown> =>
    (await user.client.get<{ data: { retention: unknown } }>(`/user/assistant/${id}`)).body.data.retention;
  const own = (fields: object) => ({
    recordings_days: null,
    transcripts_days: null,
    variables_days: null,
    conversations_days: null,
    deliveries_days: null,
    mask_numbers: false,
    ...fields,
  });

  it('is null, an object with every field, and null again', async () => {
    const id = await anAssistant(user);
    expect(await shownOf(id)).toBeNull();
    const put = (retention: unknown) => user.client.put(`/user/assistant/${id}`, { retention });
    expect((await put({ transcripts_days: 7 })).status).toBe(200);
    expect(await shownOf(id)).toEqual(own({ transcripts_days: 7 }));
    expect((await put({ mask_numbers: true })).status).toBe(200);
    expect(await shownOf(id)).toEqual(own({ mask_numbers: true }));
    expect((await put(null)).status).toBe(200);
    expect(await shownOf(id)).toBeNull();
  });

  it('is written at the creation, and writing it back changes nothing', async () => {
    const id = await anAssistant(user, { retention: { recordings_days: 3, deliveries_days: null } });
    const path = `/user/assistant/${id}`;
    const { body } = await user.client.get<{ data: { updated_at: string; retention: unknown } }>(path);
    expect(body.data.retention).toEqual(own({ recordings_days: 3 }));
    await user.client.put(path, { retention: body.data.retention });
    expect((await user.client.get<typeof body>(path)).body.data.updated_at).toBe(body.data.updated_at);
  });

  it('refuses wrong days', async () => {
    const body = assistantBody({ retention: { recordings_days: 4000 } });
    const answer = await user.client.post<{ errors: unknown }>('/user/assistant', body);
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      { 'retention.recordings_days': [`The recordings days ${RANGE}`] },
    ]);
    const list = await user.client.post<{ errors: object }>(
      '/user/assistant',
      assistantBody({ retention: 'short' }),
    );
    expect([list.status, Object.keys(list.body.errors)]).toEqual([422, ['retention']]);
  });
});
