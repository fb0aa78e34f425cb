import { describe, expect, it } from '@jest/globals';
import { clientProblem, contentOf, withPart } from './verify-clients.js';

const seen = { what: 'POST /user/lead as a form', status: 200, wanted: 200 };

describe('clientProblem', () => {
  it('finds nothing in a correct response', () => {
    expect(clientProblem(seen)).toBeNull();
    expect(
      clientProblem({ ...seen, shown: { a: [1, { b: null }] }, expected: { a: [1, { b: null }] } }),
    ).toBeNull();
    expect(clientProblem({ ...seen, status: 422, wanted: 422 })).toBeNull();
  });

  it.each([
    [{ status: 422 }, 'POST /user/lead as a form: 422 instead of 200'],
    [{ shown: { a: 1 }, expected: { a: 2 } }, 'POST /user/lead as a form: a differs'],
    [{ shown: { a: { b: 1 } }, expected: { a: { b: '1' } } }, 'POST /user/lead as a form: b differs'],
    [{ shown: {}, expected: { a: null } }, 'POST /user/lead as a form: a differs'],
    [{ shown: { a: 1 }, expected: {} }, 'POST /user/lead as a form: a differs'],
    [{ shown: [1], expected: [] }, 'POST /user/lead as a form: the answer differs'],
  ])('finds %j', (change, problem) => {
    expect(clientProblem({ ...seen, ...change })).toBe(problem);
  });
});

describe('contentOf', () => {
  it('removes ids and times, but not those in variables', () => {
    const lead = {
      id: 1,
      created_at: '',
      variables: { id: 5 },
      phone_number: '+1',
      secondary_contacts: [{ id: 2, status: 'created' }],
    };
    expect(contentOf(lead, ['phone_number'])).toEqual({
      variables: { id: 5 },
      secondary_contacts: [{ status: 'created' }],
    });
  });
});

it('withPart finds the rows that contain the digits', () => {
  const rows = [{ phone_number: '+14155550100' }, { phone_number: '+442079460100' }];
  expect(withPart(rows, '0100')).toEqual(rows);
  expect(withPart(rows, '+44')).toEqual([rows[1]]);
  expect(withPart(rows, '999')).toEqual([]);
});
