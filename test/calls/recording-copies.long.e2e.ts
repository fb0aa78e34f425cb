import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { TestAccount } from '../factories/account.js';
import { ask, RecordingsBench, type RecordedCall } from '../support/recordings-bench.js';
import { S3Server } from '../support/s3-server.js';

// A copy that a killed process had begun is taken up when its lease is over.
const BREAKS_OFF = '+15005550061';
/** More than other answers of the carrier have, and less than a recording. */
const BEGINNING_BYTES = 8_000;
const AWAY = { message: 'The recording is not available at the moment. Please try again later.' };
const GONE = { message: 'Recording not found' };

describe('copies of recordings', () => {
  let bench: RecordingsBench;
  let s3: S3Server;
  let user: TestAccount;
  let first: RecordedCall;
  let file: string;

  beforeAll(async () => {
    s3 = await S3Server.open('access-key-of-the-test', 'eu-central-1');
    bench = await RecordingsBench.start('folder', { RECORDINGS_DELETE_AT_CARRIER: 'true' });
    user = await bench.account();
  });

  afterAll(async () => {
    await bench.stop();
    await s3.close();
  });

  const copied = (call: RecordedCall, storage: string) =>
    bench.until(async () => {
      const row = await bench.stateOf(call);
      return row?.state === 'kept' && row.storage === storage;
    });
  const incoming = () => join(bench.folder, '.incoming');
  /** The first bytes of a download are stored. */
  const begun = () =>
    bench.until(async () => {
      const names = existsSync(incoming()) ? readdirSync(incoming()) : [];
      return names.some((name) => statSync(join(incoming(), name)).size > 0);
    });
  const due = (call: RecordedCall) =>
    bench.db.query('UPDATE recordings SET due_at = now() WHERE call_id = $1', [call.id]);
  const files = () =>
    readdirSync(bench.folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.wav'));

  it('in a folder play while the carrier, where they are deleted, is unavailable', async () => {
    // A complete copy would be deleted at the carrier before the test has read its audio there.
    bench.proxy.stall(BEGINNING_BYTES);
    first = await bench.recordedCall(user);
    await begun();
    bench.proxy.flow();
    bench.proxy.down();
    bench.proxy.up();
    await bench.until(async () => ((await bench.stateOf(first))?.attempts ?? 0) > 0);
    await due(first);
    await copied(first, 'folder');
    file = join(bench.folder, files()[0] ?? '');
    expect(readFileSync(file).equals(first.audio)).toBe(true);
    expect((await bench.fetchAtCarrier(first)).status).toBe(404);
    bench.proxy.down();
    expect((await ask(first.url)).bytes.equals(first.audio)).toBe(true);
    const part = await ask(first.url, { range: 'bytes=-7' });
    expect([part.status, part.bytes]).toEqual([206, first.audio.subarray(-7)]);
    expect((await ask(first.url, { range: `bytes=${first.audio.length}-` })).status).toBe(416);
    bench.proxy.up();
  });

  it('are complete or missing', async () => {
    const broken = await bench.recordedCall(user, BREAKS_OFF);
    await bench.until(async () => ((await bench.stateOf(broken))?.attempts ?? 0) > 0);
    await bench.until(async () => readdirSync(incoming()).length === 0);
    expect(await bench.stateOf(broken)).toMatchObject({ state: 'new', storage: 'carrier' });
    expect(files()).toHaveLength(1);
    expect((await user.client.delete(`/user/calls/${broken.id}`)).status).toBe(200);
  });

  it('are repeated once when the process terminates during the download', async () => {
    const before = files();
    bench.proxy.stall(BEGINNING_BYTES);
    const call = await bench.recordedCall(user);
    await begun();
    expect(await bench.stateOf(call)).toMatchObject({ state: 'new', storage: 'carrier' });
    await bench.restart('kill');
    expect(readdirSync(incoming())).toHaveLength(1);
    bench.proxy.flow();
    // The lease of the process that is gone is over.
    await due(call);
    await bench.until(async () => (await bench.stateOf(call))?.state === 'kept');
    await bench.until(async () => readdirSync(incoming()).length === 0);
    const copies = files().filter((name) => !before.includes(name));
    expect(copies).toHaveLength(1);
    expect(readFileSync(join(bench.folder, copies[0] ?? '')).equals(call.audio)).toBe(true);
    expect((await user.client.delete(`/user/calls/${call.id}`)).status).toBe(200);
    await bench.until(async () => files().length === before.length);
  });

  it('in a bucket are signed requests, and those in the folder stay', async () => {
    await bench.restart('stop', {
      RECORDINGS_STORAGE: 's3',
      RECORDINGS_S3_BUCKET: 'calls',
      RECORDINGS_S3_REGION: 'eu-central-1',
      RECORDINGS_S3_ENDPOINT: s3.url,
      RECORDINGS_S3_PREFIX: 'recordings/',
      RECORDINGS_S3_ACCESS_KEY_ID: 'access-key-of-the-test',
      RECORDINGS_S3_SECRET_ACCESS_KEY: 'secret-of-the-test',
      RECORDINGS_DELETE_AT_CARRIER: 'false',
    });
    expect((await ask(first.url)).bytes.equals(first.audio)).toBe(true);
    const call = await bench.recordedCall(user);
    await copied(call, 's3');
    const [[name, object] = []] = [...s3.objects];
    expect(name).toMatch(new RegExp(`^calls/recordings/${user.id}/${call.id}-\\d+\\.wav$`));
    expect(object?.type).toBe('audio/wav');
    expect(object?.bytes.equals(call.audio)).toBe(true);
    expect(s3.unsigned).toBe(0);
    bench.proxy.down();
    expect((await ask(call.url)).bytes.equals(call.audio)).toBe(true);
    const part = await ask(call.url, { range: 'bytes=2-5' });
    expect([part.status, part.bytes]).toEqual([206, call.audio.subarray(2, 6)]);
    bench.proxy.up();

    s3.isOverloaded = true;
    const away = await ask(call.url);
    expect([away.status, away.json()]).toEqual([502, AWAY]);
    expect((await user.client.delete(`/user/calls/${call.id}`)).status).toBe(200);
    const gone = await ask(call.url);
    expect([gone.status, gone.json()]).toEqual([404, GONE]);
    await bench.until(async () => ((await bench.stateOf(call))?.attempts ?? 0) > 1);
    s3.isOverloaded = false;
    await bench.until(async () => (await bench.stateOf(call)) === null);
    expect(s3.objects.size).toBe(0);
    expect((await bench.fetchAtCarrier(call)).status).toBe(404);
  });

  it('are deleted with their call, also when the process terminates before', async () => {
    bench.proxy.down();
    expect((await user.client.delete(`/user/calls/${first.id}`)).status).toBe(200);
    await bench.until(async () => (await bench.stateOf(first))?.state === 'deleting');
    expect((await ask(first.url)).status).toBe(404);
    await bench.restart('kill');
    bench.proxy.up();
    await bench.until(async () => !existsSync(file) && (await bench.stateOf(first)) === null);
    expect((await ask(first.url)).json()).toEqual(GONE);
  });
});
