import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCampaign } from '../factories/campaign.js';

type Campaign = Record<string, unknown> & { id: number };

const invalid = (errors: Record<string, string[]>) => [
  422,
  { message: 'The given data was invalid.', errors },
];

describe('windows, strict time zones and quiet hours of a campaign', () => {
  let one: TestAccount;
  let assistant: number;

  const get = async (id: number): Promise<Campaign> =>
    (await one.client.get<{ data: Campaign }>(`/user/campaigns/${id}`)).body.data;
  const create = async (fields: Record<string, unknown>): Promise<[number, unknown]> => {
    const answer = await one.client.post('/user/campaigns', {
      name: 'Spring',
      assistant_id: assistant,
      ...fields,
    });
    return [answer.status, answer.body];
  };

  beforeAll(async () => {
    one = await anAccount();
    assistant = await anAssistant(one);
  });

  it.each([
    [{ start: '24:00', end: '24:00' }, { 'windows.1.start': ['The start field format is invalid.'] }],
    [{ start: '09:00', end: '9:30' }, { 'windows.1.end': ['The end field format is invalid.'] }],
    [{ start: '09:00', end: '09:00' }, { 'windows.1.end': ['The end field must be after start.'] }],
    [{ start: '22:00', end: '06:00' }, { 'windows.1.end': ['The end field must be after start.'] }],
    [{ days: [] }, { 'windows.1.days': ['The days field must have at least 1 item.'] }],
    [{ days: ['someday'] }, { 'windows.1.days': ['The selected days is invalid.'] }],
    [
      { days: undefined, start: '', end: null },
      {
        'windows.1.days': ['The days field is required.'],
        'windows.1.start': ['The start field is required.'],
        'windows.1.end': ['The end field is required.'],
      },
    ],
  ])('refuses a window with %j', async (fields, errors) => {
    const window = { days: ['monday'], start: '09:00', end: '17:00' };
    const windows = [window, { ...window, ...fields }];
    expect(await create({ windows })).toEqual(invalid(errors));
    const id = await aCampaign(one);
    const { status, body } = await one.client.put(`/user/campaigns/${id}`, { windows });
    expect([status, body]).toEqual(invalid(errors));
  });

  it('refuses more than 21 windows, and what is not a list or not a choice', async () => {
    const windows = Array.from({ length: 21 }, () => ({ days: ['monday'], start: '09:00', end: '17:00' }));
    const [status] = await create({ windows });
    expect(status).toBe(201);
    expect(await create({ windows: [...windows, windows[0]] })).toEqual(
      invalid({ windows: ['The windows field must not have more than 21 items.'] }),
    );
    const wrong = { windows: 'always', strict_timezones: 'yes', quiet_hours: 'some' };
    expect(await create(wrong)).toEqual(
      invalid({
        windows: ['The windows field must be an array.'],
        strict_timezones: ['The strict timezones field must be true or false.'],
        quiet_hours: ['The selected quiet hours is invalid.'],
      }),
    );
  });

  it('removes windows with an empty list, and keeps hours and days beside them', async () => {
    const hours = { allowed_hours_start_time: '22:00', allowed_hours_end_time: '06:30' };
    const windows = [{ days: ['monday'], start: '09:00', end: '23:59' }];
    const id = await aCampaign(one, { ...hours, windows });
    expect(await get(id)).toMatchObject({ ...hours, windows });
    await one.client.put(`/user/campaigns/${id}`, { windows: [], quiet_hours: '' });
    expect(await get(id)).toMatchObject({ ...hours, windows: [], quiet_hours: 'none' });
  });
});
