import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anAssistant } from '../factories/assistant.js';
import { BUSY } from '../factories/call.js';
import { aCampaign } from '../factories/campaign.js';
import { aNumber } from '../factories/lead.js';
import { called, spread } from '../support/dialling.js';
import { OwnService } from '../support/own-service.js';

const DAY = 24;

describe('the operator', () => {
  let own: OwnService;
  beforeAll(async () => {
    own = await OwnService.start(undefined, {
      MAX_CALLS_INCLUDE_MAKE_CALL: 'true',
      QUIET_HOURS_DEFAULT: 'auto',
    });
  });
  afterAll(() => own.stop());

  it('limits calls by request with MAX_CALLS_INCLUDE_MAKE_CALL by day and by 30 days, but not to numbers of the sandbox', async () => {
    const user = await own.account();
    const assistant_id = await anAssistant(user);
    const call = async (hoursAgo: number[], phone_number = aNumber()) => {
      await called(user, phone_number, hoursAgo, { db: own.db });
      const { status, body } = await user.client.post('/user/make_call', { assistant_id, phone_number });
      return [status, (body as { message: string }).message];
    };
    const refused = [422, 'This number has been called too often.'];
    const taken = [200, 'Call initiated successfully'];
    expect(await call([1, 2, 3])).toEqual(refused);
    expect(await call([1, 2, DAY + 1])).toEqual(taken);
    expect(await call(spread(30, 2 * DAY, 29 * DAY))).toEqual(refused);
    expect(await call(spread(29, 2 * DAY, 29 * DAY))).toEqual(taken);
    expect(await call(spread(40, 1, DAY), BUSY)).toEqual(taken);
  });

  it('sets with QUIET_HOURS_DEFAULT the value of new campaigns that do not have one', async () => {
    const user = await own.account();
    const quietHours = async (fields: object): Promise<unknown> => {
      const id = await aCampaign(user, { ...fields });
      const { body } = await user.client.get<{ data: { quiet_hours: string } }>(`/user/campaigns/${id}`);
      return body.data.quiet_hours;
    };
    expect(await quietHours({})).toBe('auto');
    expect(await quietHours({ quiet_hours: '' })).toBe('auto');
    expect(await quietHours({ quiet_hours: 'none' })).toBe('none');
  });
});
