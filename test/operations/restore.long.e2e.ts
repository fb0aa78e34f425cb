import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PrivateInstallation } from '../support/private-installation.js';
import { until } from '../support/until.js';

const number = (digits: string): string => `+1500555${digits}`;
/** They stay on the line until the test ends their call: the campaign, with one call at a time, waits for them. */
const [FIRST_STOP, SECOND_STOP] = [number('5500'), number('5501')];
/** The others answer and hang up soon. */
const CALLEES = [
  ...['0020', '0021'].map(number),
  FIRST_STOP,
  ...['0025', '0028'].map(number),
  SECOND_STOP,
  ...['0031', '0032'].map(number),
];
const LOST = CALLEES.slice(3, 6);
/** Longer than either of those calls is needed. */
const SILENT = { max_silence_duration: 120, max_initial_silence_duration: 120 };
const NOTHING_ELSE = { waitingChats: 0, endingChats: 0, dueDocuments: 0, personalDataJobs: 0 };
const FINAL = ['completed', 'busy', 'no-answer', 'failed'];

interface Confirmed {
  restored: boolean;
  released: boolean;
  would_run: { campaigns: { id: number; dueLeads: number }[]; runningCalls: number } | null;
  lost_calls: { to: string; outcome: string | null }[] | null;
}

/** One installation, from a backup in the middle of a campaign to its end after a restore. */
describe('a private database that is restored to a moment before its last calls', () => {
  let here: PrivateInstallation;
  let file: string;

  beforeAll(async () => {
    here = await PrivateInstallation.start();
    file = join(here.dataDir, 'monday.backup');
  });
  afterAll(() => here.stop());

  const calls = async () =>
    (
      await here.demo.client.get<{ data: { id: number; client_phone_number: string; status: string }[] }>(
        '/user/calls?per_page=100',
      )
    ).body.data;
  const isTalkingTo = (callee: string) =>
    until(async () =>
      (await calls()).some((call) => call.client_phone_number === callee && call.status === 'in-progress'),
    );
  const endCallTo = async (callee: string): Promise<void> => {
    const call = (await calls()).find(({ client_phone_number }) => client_phone_number === callee);
    await here.demo.client.post(`/user/calls/${call?.id}/end`);
  };
  const calledNumbers = async () => (await calls()).map((call) => call.client_phone_number);
  const switchTo = (action: 'start' | 'stop') =>
    here.demo.client.post('/user/campaigns/update-status', { campaign_id: here.demo.campaignId, action });
  const readiness = async () =>
    (await fetch(`${here.service.url}/health/ready`)).json() as Promise<{ status: string }>;

  it('is backed up while a campaign calls, into a file for its owner only that has no keys', async () => {
    const { client, campaignId } = here.demo;
    const { body } = await client.get<{ data: { assistant_id: number } }>(`/user/campaigns/${campaignId}`);
    await client.put(`/user/assistant/${body.data.assistant_id}`, SILENT);
    await client.put(`/user/campaigns/${campaignId}`, { max_calls_in_parallel: 1 });
    for (const phone_number of CALLEES)
      await client.post('/user/lead', { campaign_id: campaignId, phone_number });
    await switchTo('start');
    await isTalkingTo(FIRST_STOP);
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
    await endCallTo(FIRST_STOP);
    await isTalkingTo(SECOND_STOP);
    await switchTo('stop');
    await endCallTo(SECOND_STOP);
    await until(async () => (await calls()).every(({ status }) => FINAL.includes(status)));
    await here.service.kill();
    const damaged = join(here.dataDir, 'damaged.backup');
    const isRefused = async (reason: string, given = damaged): Promise<void> => {
      const { code, problem } = await here.cli('restore', given);
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
    const half = readFileSync(file).subarray(0, bytes.length >> 1);
    writeFileSync(damaged, Buffer.concat([half, createHash('sha256').update(half).digest()]));
    await isRefused('cannot be unpacked: unexpected end of file');
    await isRefused('cannot be read: EISDIR', here.dataDir);
    await isRefused('cannot be read: ENOENT', `${file}.gone`);
  });

  it('is put in the place of the data, which are kept, and only shown', async () => {
    const { replaced } = await here.json<{ replaced: string }>('restore', file);
    expect(statSync(join(replaced, 'PG_VERSION')).isFile()).toBe(true);
    await here.restart();
    expect(await readiness()).toMatchObject({ status: 'restored' });
    expect((await calledNumbers()).toSorted()).toEqual(CALLEES.slice(0, 3).toSorted());
    const metrics = await (await fetch(`${here.service.url}/metrics`)).text();
    expect(metrics).toContain('installation_restored 1');
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
    expect(shown.would_run?.campaigns[0]?.dueLeads).toBe(5);
    expect(shown.would_run).toMatchObject({ runningCalls: 1, ...NOTHING_ELSE });
    expect(shown.lost_calls?.map(({ to, outcome }) => [to, outcome])).toEqual(LOST.map((to) => [to, null]));
    expect(await readiness()).toMatchObject({ status: 'restored' });
    expect(here.dialled()).toEqual(CALLEES.slice(0, 6));
  });

  it('goes on after the release, and calls everybody once', async () => {
    const { client, campaignId } = here.demo;
    const done = await here.json<Confirmed>('restore', 'confirm', '--yes');
    expect(done.released).toBe(true);
    expect(done.lost_calls?.map(({ to, outcome }) => [to, outcome])).toEqual(
      LOST.map((to) => [to, 'recorded']),
    );
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
    const { body } = await here.demo.client.get<{ data: { client_phone_number: string }[] }>(
      '/user/calls?per_page=100',
    );
    const costs = new Map(body.data.map((call) => [call.client_phone_number, call]));
    for (const callee of LOST) expect(costs.get(callee)).toMatchObject({ status: 'completed' });
  });
});
