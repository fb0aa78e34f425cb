import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';
import { BUSY } from '../factories/call.js';
import { aCampaign } from '../factories/campaign.js';
import { aLead, aNumber } from '../factories/lead.js';
import { runCommand } from '../support/command.js';

describe('commands for campaigns', () => {
  let user: TestAccount;
  let folder: string;
  const file = (name: string, lines: string[]): string => {
    const path = join(folder, name);
    writeFileSync(path, lines.join('\n'));
    return path;
  };

  beforeAll(async () => {
    user = await anAccount();
    folder = mkdtempSync(join(tmpdir(), 'imports-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('`leads import` imports what POST /user/leads/import does and reports what is invalid', async () => {
    const campaign = await aCampaign(user);
    const numbers = Array.from({ length: 600 }, () => aNumber());
    const csv = file('leads.csv', [
      'phone_number,name',
      ...numbers.map((number) => `${number},Ada`),
      'x,Eve',
    ]);
    const first = await runCommand(['leads', 'import', '--campaign', String(campaign), csv]);
    expect(first).toMatchObject({ code: 1 });
    expect(first.output).toMatch(/^600 imported, 0 known before, 1 invalid\.\nline 602: The phone number/);
    expect(first.problem).toMatch(/^\[[█░]{24}\] \d+ % {2}250 imported, 0 known before, 0 invalid\n/);
    const again = await runCommand([
      'leads',
      'import',
      '--campaign',
      String(campaign),
      file('again.csv', ['phone_number', ...numbers.slice(0, 3)]),
      '--json',
    ]);
    expect([again.code, JSON.parse(again.output)]).toMatchObject([
      0,
      { imported: 0, duplicates: 3, invalid: 0 },
    ]);
    const { body } = await user.client.get<{ data: { stats: { leads: object } } }>(
      `/user/campaigns/${campaign}`,
    );
    expect(body.data.stats.leads).toMatchObject({ created: 600 });
  });

  it('`suppressions import` stores numbers of the account', async () => {
    const { body } = await user.client.get<{ email: string }>('/user/me');
    const number = aNumber();
    const csv = file('numbers.csv', ['Phone Number;reason', `${number};asked for it`]);
    const imported = await runCommand(['suppressions', 'import', '--email', body.email, csv]);
    expect(imported).toMatchObject({ code: 0, output: '1 imported, 0 known before, 0 invalid.\n' });
    const { body: stored } = await user.client.get('/user/suppressions');
    expect(stored).toMatchObject([{ phone_number: number, reason: 'asked for it' }]);
  });

  it('exit with 1 and a message for what does not exist or cannot be read', async () => {
    const campaign = String(await aCampaign(user));
    const ran = async (...args: string[]) => {
      const { code, problem } = await runCommand(args);
      return [code, problem];
    };
    const csv = file('none.csv', ['name', 'Ada']);
    expect(await ran('leads', 'import', '--campaign', '2147483', csv)).toEqual([
      1,
      'There is no campaign 2147483.\n',
    ]);
    const [code, problem] = await ran('leads', 'import', '--campaign', campaign, csv);
    expect([code, problem]).toEqual([1, expect.stringContaining('must have a column named phone_number')]);
    expect(await ran('leads', 'import', '--campaign', campaign, join(folder, 'no.csv'))).toEqual([
      1,
      expect.stringContaining('no such file'),
    ]);
    expect(await ran('campaigns', 'watch', '2147483')).toEqual([1, 'There is no campaign 2147483.\n']);
  });

  it('`campaigns watch` shows a campaign until it has ended', async () => {
    const campaign = await aCampaign(user, { name: 'Watched', max_retries: 1 });
    await aLead(user, campaign, { phone_number: BUSY });
    const watching = runCommand(['campaigns', 'watch', String(campaign)]);
    const started = await user.client.post('/user/campaigns/update-status', {
      campaign_id: campaign,
      action: 'start',
    });
    expect(started.status).toBe(200);
    const { code, output, problem } = await watching;
    expect([code, output]).toEqual([0, 'Watched is completed.\n']);
    expect(problem).toContain('Watched: completed, 0 calls now\n');
    expect(problem).toContain('1/1 leads done\n');
    expect(problem).toContain('calls      busy 1\n');
  });
});
