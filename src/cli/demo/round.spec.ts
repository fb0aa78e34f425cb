import { expect, it } from '@jest/globals';
import type { Api, CallSeen, LeadSeen } from './api.js';
import { watchRound, type LeadProgress } from './round.js';
import { CALLEES } from './script.js';

const call = (index: number, status: string): CallSeen => ({
  id: index + 1,
  client_phone_number: CALLEES[index]?.phoneNumber ?? '',
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

const leads = (status: string): LeadSeen[] =>
  CALLEES.map(({ phoneNumber }, index) => ({ id: index + 1, phone_number: phoneNumber, status }));

/** Shows one state of the campaign after another, and stays at the last. */
function fakeApi(states: { leads: LeadSeen[]; calls: CallSeen[] }[]): Api {
  let polls = 0;
  const get = async (path: string): Promise<unknown> => {
    const state = states[Math.min(Math.floor(polls++ / 2), states.length - 1)];
    return path.startsWith('/user/leads') ? state?.leads : { data: state?.calls };
  };
  return { get } as unknown as Api;
}

it('a round lasts until every lead is settled and every completed call was told', async () => {
  const shown: LeadProgress[][] = [];
  const done = { leads: leads('completed'), calls: [call(0, 'completed'), call(3, 'busy')] };
  let heard = false;
  const round = await watchRound({
    api: fakeApi([
      { leads: leads('created'), calls: [] },
      { leads: leads('processing'), calls: [call(0, 'ringing')] },
      done,
    ]),
    campaignId: 1,
    hasHeardOf: () => {
      const before = heard;
      heard = true;
      return before;
    },
    show: (progress) => shown.push(progress),
    signal: new AbortController().signal,
  });
  expect(shown.map(([first]) => first?.state)).toEqual(['created', 'ringing', 'completed', 'completed']);
  expect(round.leads.map(({ state }) => state)).toContain('completed (busy)');
  expect(round.leads.every(({ settled }) => settled)).toBe(true);
});

it('a round ends unfinished when its time is up', async () => {
  const { leads: seen } = await watchRound({
    api: fakeApi([{ leads: leads('processing'), calls: [] }]),
    campaignId: 1,
    hasHeardOf: () => false,
    show: () => undefined,
    signal: AbortSignal.abort(),
  });
  expect(seen.some(({ settled }) => settled)).toBe(false);
});
