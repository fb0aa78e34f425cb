import { describe, expect, it } from '@jest/globals';
import { costProblems, fixedProblems, severity, type Cost } from './verify-cost.js';

const cheap: Cost = {
  name: 'a request',
  route: 'POST /unknown',
  withToken: false,
  requestBytes: 1_000,
  answerBytes: 200,
  cpuMs: 2,
  answered: true,
};

describe('costProblems', () => {
  it('accepts a request within its limits', () => {
    expect(costProblems([cheap, { ...cheap, cpuMs: 50, answerBytes: 100_000 }])).toEqual([]);
  });

  it('refuses processor time above 50 ms without a token and above 250 ms with one', () => {
    expect(costProblems([{ ...cheap, cpuMs: 51 }])).toHaveLength(1);
    expect(costProblems([{ ...cheap, cpuMs: 51, withToken: true }])).toEqual([]);
    expect(costProblems([{ ...cheap, cpuMs: 251, withToken: true }])).toHaveLength(1);
  });

  it('refuses a response of more than 100 times the request without a token', () => {
    expect(costProblems([{ ...cheap, answerBytes: 100_001 }])).toHaveLength(1);
    expect(costProblems([{ ...cheap, answerBytes: 100_001, withToken: true }])).toEqual([]);
  });

  it('refuses a request without a response in time', () => {
    expect(costProblems([{ ...cheap, answered: false }])).toEqual(['no answer in time: a request']);
  });

  it('accepts large static documents', () => {
    expect(
      costProblems([{ ...cheap, route: 'GET /docs-json', requestBytes: 50, answerBytes: 900_000 }]),
    ).toEqual([]);
  });
});

describe('fixedProblems', () => {
  it('refuses a document that is rendered per request', () => {
    expect(
      fixedProblems(
        new Map([
          ['GET /docs', 0.6],
          ['GET /docs-yaml', 20],
        ]),
      ),
    ).toEqual(['fixed document GET /docs-yaml: 20.00 ms of CPU, allowed 1']);
  });
});

describe('severity', () => {
  it('is above 1 if and only if a limit is exceeded', () => {
    expect(severity(cheap)).toBeLessThan(1);
    expect(severity({ ...cheap, cpuMs: 51 })).toBeGreaterThan(1);
    expect(severity({ ...cheap, answerBytes: 100_001 })).toBeGreaterThan(1);
    expect(severity({ ...cheap, answered: false })).toBe(Infinity);
  });
});
