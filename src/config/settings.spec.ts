import { describe, expect, it } from '@jest/globals';
import { SettingsError } from './env-reader.js';
import { loadSettings } from './settings.js';

const problemsOf = (env: NodeJS.ProcessEnv): string[] => {
  try {
    loadSettings(env);
    return [];
  } catch (error) {
    return error instanceof SettingsError ? error.problems : [String(error)];
  }
};

describe('loadSettings', () => {
  it('needs nothing', () => {
    expect(loadSettings({})).toMatchObject({
      role: 'all',
      databaseUrl: null,
      redisUrl: null,
      carrier: null,
      http: { port: 3000, apiPrefix: '/api', publicUrl: 'http://127.0.0.1:3000' },
    });
  });

  it('names every variable that is wrong, with an example, and repeats no value', () => {
    const problems = problemsOf({
      PORT: '99999',
      ROLE: 'boss',
      DATABASE_URL: 'mysql://secret@x',
      AI_DISCLOSURE: 'maybe',
    });
    expect(problems).toHaveLength(4);
    expect(problems[0]).toMatch(/^PORT .*for example PORT=3000$/);
    expect(problems.join()).not.toContain('secret');
  });

  it('asks for both stores in production', () => {
    expect(problemsOf({ NODE_ENV: 'production' }).map((problem) => problem.split(' ')[0])).toEqual([
      'DATABASE_URL',
      'REDIS_URL',
    ]);
  });

  it('opens loopback to tools and webhooks only where the database is its own', () => {
    const external = { DATABASE_URL: 'postgres://db/x' };
    expect(loadSettings({}).outbound.allowCidrs).toEqual(['127.0.0.0/8', '::1/128']);
    expect(loadSettings(external).outbound.allowCidrs).toEqual([]);
    expect(loadSettings({ ...external, OUTBOUND_ALLOW_CIDRS: '10.0.0.0/8' }).outbound.allowCidrs).toEqual([
      '10.0.0.0/8',
    ]);
    expect(problemsOf({ OUTBOUND_ALLOW_CIDRS: '10.0.0.0/99' })).toHaveLength(1);
  });

  it('takes a carrier whole or not at all', () => {
    expect(problemsOf({ TWILIO_ACCOUNT_SID: 'AC1' })[0]).toMatch(/^TWILIO_AUTH_TOKEN is required/);
    expect(loadSettings({ TWILIO_ACCOUNT_SID: 'AC1', TWILIO_AUTH_TOKEN: 't' }).carrier).toEqual({
      accountSid: 'AC1',
      authToken: 't',
      apiUrl: null,
    });
  });
});
