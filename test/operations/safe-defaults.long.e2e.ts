import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aTestDelivery } from '../factories/webhook.js';
import { runBuilt } from '../support/command.js';
import { database, databaseUrl } from '../support/database.js';
import { freePort } from '#src/embedded/free-port.js';
import { redisOfTheService } from '../support/redis.js';
import { startService } from '../support/service.js';

interface Finding {
  name: string;
  state: string;
  what: string;
}

describe('a service in production', () => {
  let dataDir: string;
  let production: Record<string, string>;
  const name = `production_${randomBytes(6).toString('hex')}`;

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'calls-production-'));
    await database().query(`CREATE DATABASE ${name}`);
    const url = new URL(databaseUrl());
    url.pathname = `/${name}`;
    production = {
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(await freePort()),
      DATA_DIR: dataDir,
      DATABASE_URL: url.href,
      REDIS_URL: redisOfTheService() ?? 'redis://127.0.0.1:1',
    };
  });

  afterAll(async () => {
    await database().query(`DROP DATABASE ${name} WITH (FORCE)`);
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function doctor(settings: Record<string, string>): Promise<Finding[]> {
    const { output } = await runBuilt('main.js', ['doctor', '--json'], settings);
    return (JSON.parse(output) as { checks: Finding[] }).checks;
  }

  it('does not start on the sandbox, and lists the missing settings', async () => {
    const start = startService(production).then(({ stop }) => stop());
    await expect(start).rejects.toThrow(/ended with 1:[^]*TWILIO_ACCOUNT_SID[^]*LLM_API_KEY/);
    const findings = await doctor(production);
    expect(findings.map(({ state, what }) => [state, what.split(' ')[0]])).toEqual([
      ['fail', 'PUBLIC_URL'],
      ['fail', 'TWILIO_ACCOUNT_SID'],
      ['fail', 'LLM_API_KEY'],
    ]);
  });

  it('does not start with secrets from the documentation', async () => {
    const published = {
      ...production,
      TWILIO_ACCOUNT_SID: `AC${'1'.repeat(32)}`,
      TWILIO_AUTH_TOKEN: 'sandbox-auth-token',
      LLM_API_KEY: 'sandbox-api-key',
    };
    const start = startService(published).then(({ stop }) => stop());
    await expect(start).rejects.toThrow(/ended with 1:[^]*TWILIO_AUTH_TOKEN is a value that everybody/);
  });

  it('starts on the sandbox with ALLOW_SANDBOX, with a warning', async () => {
    const allowed = { ...production, ALLOW_SANDBOX: 'true' };
    const service = await startService(allowed);
    await service.stop();
    expect(service.output()).toMatch(/"level":"warn".*ALLOW_SANDBOX.*no call is made/);
    const findings = await doctor(allowed);
    const states = findings.map((finding) => [finding.name, finding.state]);
    expect(states).toEqual(
      expect.arrayContaining([
        ['settings', 'ok'],
        ['carrier', 'warn'],
        ['model', 'warn'],
      ]),
    );
  });
});

it('does not reveal which names exist in the operator’s network', async () => {
  const user = await anAccount();
  const errorOf = async (webhookUrl: string): Promise<unknown> => {
    const id = await anAssistant(user, { is_webhook_active: true, webhook_url: webhookUrl });
    const { attempts } = await aTestDelivery(user, id);
    return attempts[0]?.error;
  };
  const text = 'unreachable_address: The host has no address that can be reached.';
  expect(await errorOf('http://10.0.0.1/hook')).toBe(text);
  expect(await errorOf('http://does-not-exist.invalid/hook')).toBe(text);
});
