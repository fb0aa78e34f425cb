import { describe, expect, it } from '@jest/globals';
import { uploadProblems, type UploadCost } from './verify-uploads.js';

const cost = (fields: Partial<UploadCost> = {}): UploadCost => ({
  name: 'commas',
  status: 200,
  aboveIdleMegabytes: 200,
  longestWaitMs: 250,
  tookMs: 1_000,
  ...fields,
});

describe('uploadProblems', () => {
  it('accepts 200 MB and 250 ms, and files that are refused', () => {
    expect(
      uploadProblems([cost(), cost({ status: 422 }), cost({ status: 413 }), cost({ status: 0 })], 4),
    ).toEqual([]);
  });

  it.each([
    [{ aboveIdleMegabytes: 201 }, 'commas: 201 MB above idle, allowed 200'],
    [{ longestWaitMs: 251 }, 'commas: the other tenant waited 251 ms, allowed 250'],
    [{ longestWaitMs: Infinity }, 'commas: the other tenant waited Infinity ms, allowed 250'],
    [{ status: 500 }, 'commas: 500'],
    [{ status: 0, tookMs: 900_000 }, 'commas: no response within 900 s'],
    [{ aboveIdleMegabytes: NaN }, 'commas: NaN MB above idle, allowed 200'],
  ])('refuses %j', (fields, problem) => expect(uploadProblems([cost(fields)], 1)).toEqual([problem]));

  it('refuses a run that does not upload all files, or none', () => {
    expect(uploadProblems([cost()], 2)).toHaveLength(1);
    expect(uploadProblems([], 0)).toHaveLength(1);
  });
});
