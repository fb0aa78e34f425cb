import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { Client } from '../support/client.js';
import { runBuilt, runCommand } from '../support/command.js';

/** A command as an operator types it, beside the running service. */
const cli = (...args: string[]) => runCommand(args);

async function cliJson<T>(...args: string[]): Promise<T> {
  const { output, problem } = await cli(...args, '--json');
  if (!output) throw new Error(problem);
  return JSON.parse(output) as T;
}

interface Account {
  id: number;
}

describe('operator commands', () => {
  const email = `${randomBytes(6).toString('hex')}@example.com`;
  const number = `+1213${String(Date.now() % 10_000_000).padStart(7, '2')}`;

  it('create an account that the service accepts immediately', async () => {
    const created = await cliJson<Account>(
      'accounts',
      'create',
      '--name',
      'Ada',
      '--email',
      email,
      '--balance',
      '12.5',
    );
    expect(created).toMatchObject({ email, plan: 'standard', country: 'US', balance: 12.5 });
    const { token } = await cliJson<{ token: string }>('tokens', 'create', '--email', email);
    const expires = ['--name', 'Dashboard', '--scopes', 'read,calls', '--expires', '2999-01-31'];
    const dashboard = await cliJson<{ token: string }>('tokens', 'create', '--email', email, ...expires);
    await cli('numbers', 'add', '--email', email, '--phone-number', number, '--sms');

    const ada = new Client(token);
    expect((await ada.get('/user/me')).body).toEqual({
      name: 'Ada',
      email,
      total_balance: 12.5,
      available_balance: 12.5,
    });
    expect((await ada.get('/user/phone-numbers')).body).toMatchObject([{ phone_number: number }]);

    const topUp = [
      'accounts',
      'top-up',
      '--email',
      email,
      '--amount',
      '7.5',
      '--reference',
      `invoice ${email}`,
    ];
    expect([await cliJson(...topUp), await cliJson(...topUp)]).toMatchObject([
      { posted: true, balance: 20 },
      { posted: false, balance: 20 },
    ]);
    expect((await ada.get('/user/me')).body).toMatchObject({ total_balance: 20 });

    const audit = await cliJson<{ findings: { accountId: number }[] }>('accounts', 'verify');
    expect(audit.findings.filter(({ accountId }) => accountId === created.id)).toEqual([]);

    const reader = new Client(dashboard.token);
    expect((await reader.get('/user/me')).status).toBe(200);
    expect((await reader.post('/user/tools')).status).toBe(403);
    const [restricted, live] = await cliJson<{ id: number }[]>('tokens', 'list', '--email', email);
    expect([restricted, live]).toMatchObject([
      { name: 'Dashboard', state: 'live', scopes: ['read', 'calls'], expires_at: '2999-01-31 00:00:00' },
      {
        name: 'cli',
        state: 'live',
        scopes: ['read', 'calls', 'messages', 'write', 'admin'],
        expires_at: null,
      },
    ]);
    expect((await cli('tokens', 'revoke', '--email', email, '--id', String(live?.id))).code).toBe(0);
    expect((await ada.get('/user/me')).body).toEqual({ message: 'Unauthenticated.' });
  });

  it('print errors, and exit with a code for each', async () => {
    const [unknown, misused] = await Promise.all([
      runCommand(['tokens', 'create', '--email', 'nobody@example.com']),
      runBuilt('main.js', ['tokens', 'create']),
    ]);
    expect(unknown).toEqual({
      code: 1,
      output: '',
      problem: 'There is no account with nobody@example.com: "accounts list" shows all.\n',
    });
    expect(misused).toMatchObject({
      code: 2,
      problem: expect.stringContaining("required option '--email <address>'"),
    });
  });
});
