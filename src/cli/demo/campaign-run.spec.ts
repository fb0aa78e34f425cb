import { expect, it } from '@jest/globals';
import type { DemoApi, DemoCall, DemoLead } from './api.js';
import { watchDemoCampaign, type LeadProgress } from './campaign-run.js';
import { DEMO_CALLEES } from './scenario.js';

const call = (index: number, status: string): DemoCall => ({
  id: index + 1,
  client_phone_number: DEMO_CALLEES[index]?.phoneNumber ?? '',
  status,
  duration: 0,
  transcript: '',
  evaluation: {},
  webhook_response: {},
  carrier_cost: 0,
  total_cost: 0,
  answered_by: 'unknown',
  ended_by: null,
});

const leads = (status: string): DemoLead[] =>
  DEMO_CALLEES.map(({ phoneNumber }, index) => ({ id: index + 1, phone_number: phoneNumber, status }));

/** Answers with one state of the campaign after another; the last one repeats. */
function fakeApi(states: { leads: DemoLead[]; calls: DemoCall[] }[]): DemoApi {
  let polls = 0;
  const get = async (path: string): Promise<unknown> => {
    const state = states[Math.min(Math.floor(polls++ / 2), states.length - 1)];
    return path.startsWith('/user/leads') ? state?.leads : { data: state?.calls };
  };
  return { get } as unknown as DemoApi;
}

it('polls until every lead is settled and every webhook of a completed call has arrived', async () => {
  const shown: LeadProgress[][] = [];
  const done = { leads: leads('completed'), calls: [call(0, 'completed'), call(3, 'busy')] };
  let arrived = false;
  const run = await watchDemoCampaign({
    api: fakeApi([
      { leads: leads('created'), calls: [] },
      { leads: leads('processing'), calls: [call(0, 'ringing')] },
      done,
    ]),
    campaignId: 1,
    hasWebhookOf: () => {
      const before = arrived;
      arrived = true;
      return before;
    },
    show: (progress) => shown.push(progress),
    signal: new AbortController().signal,
  });
  expect(shown.map(([first]) => first?.state)).toEqual(['created', 'ringing', 'completed', 'completed']);
  expect(run.leads.map(({ state }) => state)).toContain('completed (busy)');
  expect(run.leads.every(({ settled }) => settled)).toBe(true);
});

it('returns unsettled leads when the signal aborts', async () => {
  const { leads: seen } = await watchDemoCampaign({
    api: fakeApi([{ leads: leads('processing'), calls: [] }]),
    campaignId: 1,
    hasWebhookOf: () => false,
    show: () => undefined,
    signal: AbortSignal.abort(),
  });
  expect(seen.some(({ settled }) => settled)).toBe(false);
});
