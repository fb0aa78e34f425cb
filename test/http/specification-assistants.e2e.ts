import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant, assistantBody } from '../factories/assistant.js';
import { OPTIONAL_ROWS, REQUIRED_ROWS, type AssistantRow, type Owned } from '../support/assistant-rows.js';
import { ROUTES } from '../support/routes.js';
import { type AccountResources } from '../support/route.types.js';
import { required } from '../support/texts.js';

/** Every row of the tables of section 4.3: taken at creation and at an update and then seen, or refused by both. */
type Fields = Record<string, unknown>;

const invalid = (errors: Fields) => [422, { message: 'Validation failed', errors }];

describe('POST and PUT of an assistant', () => {
  let user: TestAccount;
  let other: TestAccount;
  let owned: Owned;
  let id: number;

  beforeAll(async () => {
    [user, other] = await Promise.all([anAccount({ plan: 'unlimited' }), anAccount()]);
    const tool = async ({ client }: TestAccount) =>
      (
        await client.post<{ data: { id: number } }>(
          '/user/tools',
          ROUTES.createTool?.body?.({} as AccountResources),
        )
      ).body.data.id;
    const [mine, theirs] = await Promise.all([tool(user), tool(other)]);
    owned = { account: user, tool: mine, foreign: { phoneNumber: other.phoneNumber.id, tool: theirs } };
  });

  const post = async (body: Fields) => {
    const answer = await user.client.post('/user/assistant', body);
    return [answer.status, answer.body];
  };
  const put = async (body: Fields) => {
    const answer = await user.client.put(`/user/assistant/${id}`, body);
    return [answer.status, answer.body];
  };
  /** As the paginated list has it, where the two newest come first. */
  const shape = async (assistant: number) => {
    const { body } = await user.client.get<{ data: Fields[] }>('/user/assistants/get?per_page=2');
    return body.data.find((item) => item.id === assistant);
  };

  const check = async ({ field, given, shown, wrong, beside = {} }: AssistantRow) => {
    const fields = { ...beside, [field]: given(owned) };
    const created = await anAssistant(user, fields);
    id = await anAssistant(user);
    expect(await shape(created)).toMatchObject(shown(owned));
    const [status, answer] = await put(fields);
    expect([status, answer]).toMatchObject([
      200,
      { message: 'Assistant updated successfully', data: { id } },
    ]);
    const updated = await shape(id);
    expect(updated).toMatchObject(shown(owned));
    for (const [value, text] of wrong(owned)) {
      const error = invalid({ [field]: [text(field)] });
      expect(await post(assistantBody({ ...beside, [field]: value }))).toEqual(error);
      expect(await put({ ...beside, [field]: value })).toEqual(error);
    }
    expect(await shape(id)).toEqual(updated);
  };

  const named = (rows: AssistantRow[]) => rows.map((each) => [each.field, each] as const);

  it.each(named(REQUIRED_ROWS))('POST /user/assistant: %s (required)', async (field, each) => {
    await check(each);
    const error = invalid({ [field]: [required(field)] });
    expect(await post(assistantBody({ [field]: undefined }))).toEqual(error);
  });

  it.each(named(OPTIONAL_ROWS))('POST /user/assistant: %s (optional)', async (_field, each) => {
    await check(each);
  });

  it.each([
    ['phone_number_id null unassigns', { phone_number_id: null }, { phone_number_id: null }],
    ['tool_ids [] removes all', { tool_ids: [] }, { tools: [] }],
    ['webhook_url null removes it', { webhook_url: null }, { webhook_url: null, is_webhook_active: false }],
  ])('PUT /user/assistant/{id}: %s', async (_row, fields, shown) => {
    id = await anAssistant(user, {
      phone_number_id: user.phoneNumber.id,
      tool_ids: [owned.tool],
      is_webhook_active: true,
      webhook_url: 'https://example.com/calls',
    });
    const before = await shape(id);
    expect((await put(fields))[0]).toBe(200);
    expect(await shape(id)).toEqual({ ...before, ...shown, updated_at: expect.any(String) });
  });
});
