import { describe, expect, it } from '@jest/globals';
import { envFieldsOf, SettingsError } from './env-fields.js';
import { ENV_GROUPS } from './env-groups.js';
import { loadSettings } from './settings.js';
// The two lists must agree; the service itself knows nothing of the sandbox.
// oxlint-disable-next-line no-restricted-imports
import { SANDBOX_ACCOUNT_SID, SANDBOX_API_KEY, SANDBOX_AUTH_TOKEN } from '../../tooling/sandbox/defaults.js';

const examples = new Map(
  ENV_GROUPS.flatMap((group) => [...envFieldsOf(group).values()].map(({ name, example }) => [name, example])),
);

const problemsOf = (env: NodeJS.ProcessEnv): string[] => {
  try {
    loadSettings(env);
    return [];
  } catch (error) {
    return error instanceof SettingsError ? error.problems : [String(error)];
  }
};

describe('loadSettings', () => {
  it('requires no setting', () => {
    expect(loadSettings({})).toMatchObject({
      role: 'all',
      databaseUrl: null,
      redisUrl: null,
      carrier: null,
      http: { port: 3000, apiPrefix: '/api', publicUrl: 'http://127.0.0.1:3000' },
    });
  });

  it('names every invalid variable, with an example, and repeats no value', () => {
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

  it('reports for each wrong value what is accepted', () => {
    const wrong = {
      PORT: '3000.5',
      API_PREFIX: '/a b',
      PUBLIC_URL: 'ftp://x',
      RATE_LIMIT_PER_MINUTE: '0',
      ROLE: 'boss',
      SANDBOX_SPEED: 'fast',
      LOG_LEVEL: 'loud',
      OUTBOUND_ALLOW_CIDRS: '10.0.0.0/8, 10.0.0.0/99',
      AI_DISCLOSURE: 'maybe',
      RING_TIMEOUT_SECONDS: '1e1',
    };
    expect(problemsOf(wrong)).toEqual([
      'PORT must be an integer from 1 to 65535, for example PORT=3000',
      'API_PREFIX must be a path of plain words, for example API_PREFIX=/api',
      'PUBLIC_URL must be a URL that starts with http:// or https://, for example PUBLIC_URL=https://calls.example.com',
      'RATE_LIMIT_PER_MINUTE must be an integer from 1 to 1000000, for example RATE_LIMIT_PER_MINUTE=600',
      'ROLE must be one of all, api, worker, for example ROLE=all',
      'SANDBOX_SPEED must be a number from 0.1 to 1000, for example SANDBOX_SPEED=1',
      'LOG_LEVEL must be one of debug, info, warn, error, for example LOG_LEVEL=info',
      'OUTBOUND_ALLOW_CIDRS must be a list of CIDR ranges, for example OUTBOUND_ALLOW_CIDRS=10.0.0.0/8,192.168.0.0/16',
      'AI_DISCLOSURE must be true or false, for example AI_DISCLOSURE=true',
      'RING_TIMEOUT_SECONDS must be an integer from 5 to 120, for example RING_TIMEOUT_SECONDS=30',
    ]);
  });

  it('reads values as they are written in files', () => {
    const { http, allowSandbox } = loadSettings({
      PORT: ' 8080 ',
      HOST: '',
      API_PREFIX: 'v1/',
      PUBLIC_URL: 'https://calls.example.com//',
      CORS_ORIGINS: 'https://a.example, ,https://b.example',
      ALLOW_SANDBOX: 'on',
    });
    expect(http).toMatchObject({
      port: 8080,
      host: '127.0.0.1',
      apiPrefix: '/v1',
      publicUrl: 'https://calls.example.com',
      corsOrigins: ['https://a.example', 'https://b.example'],
    });
    expect(allowSandbox).toBe(true);
    expect(loadSettings({ API_PREFIX: '/' }).http.apiPrefix).toBe('');
  });

  describe('in production', () => {
    const real = {
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://calls.example.com',
      DATABASE_URL: 'postgres://calls:Kx81fQ@db/calls',
      REDIS_URL: 'redis://redis:6379',
      TWILIO_ACCOUNT_SID: `AC${'1'.repeat(32)}`,
      TWILIO_AUTH_TOKEN: 'b7Qm',
      LLM_API_KEY: 'sk-b7Qm',
      ENCRYPTION_KEYS: `main:${Buffer.alloc(32, 7).toString('base64')}`,
    };
    const sandboxElsewhere = {
      ...real,
      TWILIO_ACCOUNT_SID: SANDBOX_ACCOUNT_SID,
      TWILIO_API_URL: 'http://sandbox:4010',
      LLM_BASE_URL: 'http://sandbox:4010/v1',
    };
    const namesOf = (env: NodeJS.ProcessEnv) => problemsOf(env).map((problem) => problem.split(' ')[0]);

    it('accepts stores, a carrier and a model', () => {
      expect(problemsOf(real)).toEqual([]);
    });

    it('requires all of them', () => {
      expect(namesOf({ NODE_ENV: 'production' })).toEqual([
        'DATABASE_URL',
        'REDIS_URL',
        'ENCRYPTION_KEYS',
        'PUBLIC_URL',
        'TWILIO_ACCOUNT_SID',
        'LLM_API_KEY',
      ]);
      expect(namesOf({ ...real, TWILIO_AUTH_TOKEN: '' })).toEqual(['TWILIO_AUTH_TOKEN']);
    });

    it('refuses the sandbox, also one that runs elsewhere, and reports how to allow it', () => {
      const own = { ...real, TWILIO_ACCOUNT_SID: '', TWILIO_AUTH_TOKEN: '', LLM_API_KEY: '' };
      for (const env of [own, sandboxElsewhere]) {
        expect(namesOf(env)).toEqual(['TWILIO_ACCOUNT_SID', 'LLM_API_KEY']);
        expect(problemsOf(env)[0]).toContain('ALLOW_SANDBOX=true');
        expect(problemsOf({ ...env, ALLOW_SANDBOX: 'true' })).toEqual([]);
      }
    });

    it('refuses a public address without TLS, except for the sandbox', () => {
      const open = { PUBLIC_URL: 'http://calls.example.com' };
      expect(problemsOf({ ...real, ...open })[0]).toMatch(/^PUBLIC_URL must begin with https:/);
      expect(problemsOf({ ...sandboxElsewhere, ...open, ALLOW_SANDBOX: 'true' })).toEqual([]);
    });

    it('refuses secrets from the documentation', () => {
      const known = {
        ...sandboxElsewhere,
        TWILIO_AUTH_TOKEN: SANDBOX_AUTH_TOKEN,
        LLM_API_KEY: SANDBOX_API_KEY,
        ALLOW_SANDBOX: 'true',
      };
      expect(namesOf({ ...known, ALLOW_SANDBOX: '' })).toEqual([
        'TWILIO_ACCOUNT_SID',
        'LLM_API_KEY',
        'TWILIO_AUTH_TOKEN',
        'LLM_API_KEY',
      ]);
      expect(problemsOf(known)).toEqual([]);
      expect(namesOf({ ...known, DATABASE_URL: 'postgresql://calling:calling@postgres/calling' })).toEqual([
        'DATABASE_URL',
      ]);
      for (const name of [
        'TWILIO_AUTH_TOKEN',
        'LLM_API_KEY',
        'OPERATOR_TOKEN',
        'DATABASE_URL',
        'ENCRYPTION_KEYS',
      ] as const) {
        expect(namesOf({ ...real, [name]: examples.get(name) })).toEqual([name]);
      }
    });
  });

  it('allows tools and webhooks on loopback only with the embedded database', () => {
    const external = { DATABASE_URL: 'postgres://db/x' };
    expect(loadSettings({}).outbound.allowCidrs).toEqual(['127.0.0.0/8', '::1/128']);
    expect(loadSettings(external).outbound.allowCidrs).toEqual([]);
    expect(loadSettings({ ...external, OUTBOUND_ALLOW_CIDRS: '10.0.0.0/8' }).outbound.allowCidrs).toEqual([
      '10.0.0.0/8',
    ]);
    expect(problemsOf({ OUTBOUND_ALLOW_CIDRS: '10.0.0.0/99' })).toHaveLength(1);
  });

  it('requires all settings of a carrier or none', () => {
    expect(problemsOf({ TWILIO_ACCOUNT_SID: 'AC1' })[0]).toMatch(/^TWILIO_AUTH_TOKEN is required/);
    expect(loadSettings({ TWILIO_ACCOUNT_SID: 'AC1', TWILIO_AUTH_TOKEN: 't' }).carrier).toEqual({
      accountSid: 'AC1',
      authToken: 't',
      apiUrl: null,
    });
  });
});
