import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { copyFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PrivateInstallation } from '../support/private-installation.js';
import { until } from '../support/until.js';

/** Who answer and hang up soon. */
const CALLEES = ['0020', '0021', '0023', '0025', '0028', '0031', '0032'].map((digits) => `+1500555${digits}`);
const FINAL = ['completed', 'busy', 'no-answer', 'failed'];

interface Confirmed {
  restored: boolean;
  released: boolean;
  would_run: { campaigns: { id: number; dueLeads: number }[] } | null;
  lost_calls: { to: string; fate: string | null }[] | null;
}

/** One installation, from a backup in the middle of a campaign to its end after a restore. */
describe('a private database that is restored to a moment before its last calls', () => {
  let here: PrivateInstallation;
  let file: string;
  /** Dialled before the service was stopped, and those of them that the backup does not have. */
  let before: string[];
  let since: string[];

  beforeAll(async () => {
    here = await PrivateInstallation.start();
    file = join(here.dataDir, 'monday.backup');
  });
  afterAll(() => here.stop());

  const calls = async () =>
    (
      await here.demo.client.get<{ data: { client_phone_number: string; status: string }[] }>(
        '/user/calls?per_page=100',
      )
    ).body.data;
  const calledNumbers = async () => (await calls()).map((call) => call.client_phone_number);
  const switchTo = (action: 'start' | 'stop') =>
    here.demo.client.post('/user/campaigns/update-status', { campaign_id: here.demo.campaignId, action });
  const readiness = async () =>
    (await fetch(`${here.service.url}/health/ready`)).json() as Promise<{ status: string }>;

  it('is backed up while a campaign calls, into a file for its owner only that has no keys', async () => {
    const { client, campaignId } = here.demo;
    await client.put(`/user/campaigns/${campaignId}`, { max_calls_in_parallel: 1 });
    for (const phone_number of CALLEES)
      await client.post('/user/lead', { campaign_id: campaignId, phone_number });
    await switchTo('start');
    await until(async () => (await calls()).filter(({ status }) => status === 'completed').length >= 2);
    const { keys } = await here.json<{ keys: string }>('backup', file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(keys).toBe(join(here.dataDir, 'encryption-keys'));
    const key = readFileSync(keys, 'utf8').trim();
    expect(readFileSync(file).includes(key)).toBe(false);
  });

  it('is not written over a file', async () => {
    const { code, problem } = await here.cli('backup', file);
    expect([code, problem]).toEqual([1, expect.stringContaining('exists')]);
  });

  it('is not restored while the service runs', async () => {
    const { code, problem } = await here.cli('restore', file);
    expect([code, problem]).toEqual([1, expect.stringContaining('is in use by process')]);
  });

  it('is not restored from a file that was cut or changed, or is another one', async () => {
    await until(async () => here.dialled().length >= 5);
    await switchTo('stop');
    await until(async () => (await calls()).every(({ status }) => FINAL.includes(status)));
    before = here.dialled();
    await here.service.kill();
    const damaged = join(here.dataDir, 'damaged.backup');
    const isRefused = async (reason: string): Promise<void> => {
      const { code, problem } = await here.cli('restore', damaged);
      expect([code, problem]).toEqual([1, expect.stringContaining(reason)]);
    };
    copyFileSync(file, damaged);
    truncateSync(damaged, statSync(file).size - 1);
    await isRefused('damaged');
    const bytes = readFileSync(file);
    bytes[Math.floor(bytes.length / 2)]! ^= 1;
    writeFileSync(damaged, bytes);
    await isRefused('damaged');
    writeFileSync(damaged, 'no backup');
    await isRefused('is no backup');
  });

  it('is put in the place of the data, which are kept, and only shown', async () => {
    const { replaced } = await here.json<{ replaced: string }>('restore', file);
    expect(statSync(join(replaced, 'PG_VERSION')).isFile()).toBe(true);
    await here.restart();
    expect(await readiness()).toMatchObject({ status: 'restored' });
    const known = new Set(await calledNumbers());
    since = before.filter((number) => !known.has(number));
    expect(known.size).toBeGreaterThanOrEqual(2);
    expect(since.length).toBeGreaterThan(0);
    const { text } = await (
      await fetch(`${here.service.url}/metrics`)
    )
      .text()
      .then((body) => ({ text: body }));
    expect(text).toContain('installation_restored 1');
    expect((await here.demo.client.get('/user/console')).body).toMatchObject({ data: { restored: true } });
  });

  it.each(['/user/make_call', '/user/sms', '/user/lead'])('refuses POST %s with a 503', async (path) => {
    const { status, retryAfter, body } = await here.post(path);
    expect([status, retryAfter]).toEqual([503, '60']);
    expect(body).toEqual({ message: expect.stringContaining('restored from a backup') });
  });

  it('shows what would go on, and changes nothing', async () => {
    const { campaignId } = here.demo;
    const shown = await here.json<Confirmed>('restore', 'confirm');
    expect(shown).toMatchObject({ restored: true, released: false });
    expect(shown.would_run?.campaigns).toEqual([expect.objectContaining({ id: campaignId })]);
    expect(shown.would_run?.campaigns[0]?.dueLeads).toBeGreaterThan(0);
    expect(shown.lost_calls?.map(({ to, fate }) => [to, fate])).toEqual(since.map((to) => [to, null]));
    expect(await readiness()).toMatchObject({ status: 'restored' });
    expect(here.dialled()).toEqual(before);
  });

  it('goes on after the release, and calls everybody once', async () => {
    const { client, campaignId } = here.demo;
    const done = await here.json<Confirmed>('restore', 'confirm', '--yes');
    expect(done.released).toBe(true);
    expect(done.lost_calls?.map(({ to, fate }) => [to, fate])).toEqual(since.map((to) => [to, 'recorded']));
    await until(async () => {
      const { body } = await client.get<{ status: string }[]>(`/user/leads?campaign_id=${campaignId}`);
      return body.every(({ status }) => status === 'completed');
    });
    expect(here.dialled().toSorted()).toEqual(CALLEES.toSorted());
    await until(async () => (await calls()).every(({ status }) => FINAL.includes(status)));
    expect((await calledNumbers()).toSorted()).toEqual(CALLEES.toSorted());
    expect(await readiness()).toMatchObject({ status: 'ok' });
    expect((await here.cli('restore', 'confirm')).output).toContain('waits for no release');
  });

  it('has a ledger without problems, in which the calls since are charged once', async () => {
    expect(await here.cli('accounts', 'verify')).toMatchObject({ code: 0 });
    expect(await here.cli('campaigns', 'verify')).toMatchObject({ code: 0 });
    const { body } = await here.demo.client.get<{ data: { cost: string; client_phone_number: string }[] }>(
      '/user/calls?per_page=100',
    );
    const costs = new Map(body.data.map((call) => [call.client_phone_number, call]));
    for (const number of since) expect(costs.get(number)).toMatchObject({ status: 'completed' });
  });
});
