import { expect, it } from '@jest/globals';
import { assignCallers } from './caller-ids.service.js';

const SAN_FRANCISCO = '+14155550100';
const NEW_YORK = '+12125550100';
const BERLIN = '+4930901820';

const caller = (phoneNumber: string, used = 0, lastCalled: string[] = []) => ({
  phoneNumber,
  used,
  lastCalled,
});
const from = (to: string, ...callers: ReturnType<typeof caller>[]) => assignCallers(callers, [to]).get(to);

it('prefers the number of last time, then the area, then the country, then the least used', () => {
  const all = [caller(SAN_FRANCISCO, 9), caller(NEW_YORK, 5), caller(BERLIN, 1)];
  expect(from('+14152345678', ...all)).toBe(SAN_FRANCISCO);
  expect(from('+13122345678', ...all)).toBe(NEW_YORK);
  expect(from('+493012345678', ...all)).toBe(BERLIN);
  expect(from('+33140205050', ...all)).toBe(BERLIN);
  expect(from('+14152345678', ...all, caller('+33140205051', 99, ['+14152345678']))).toBe('+33140205051');
});

it('does not treat a Canadian number as one of the same country', () => {
  expect(from('+14165550123', caller(NEW_YORK, 3), caller(BERLIN, 2))).toBe(BERLIN);
});

it('counts the calls of a batch', () => {
  const numbers = ['+33140205050', '+33140205051', '+33140205052'];
  expect([...assignCallers([caller(NEW_YORK, 1), caller(BERLIN)], numbers).values()]).toEqual([
    BERLIN,
    NEW_YORK,
    BERLIN,
  ]);
});
