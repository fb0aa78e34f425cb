import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Bench } from '../sandbox.fake.js';

describe('a carrier that starts again', () => {
  let directory: string;
  let journalFile: string;
  let first: Bench;
  let second: Bench | null = null;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'sandbox-'));
    journalFile = join(directory, 'journal.jsonl');
    first = await Bench.start({ journalFile });
    first.service.answer = (path) =>
      path.startsWith('/answer') ? first.service.relayDocument({}, '<Start><Recording/></Start>') : 204;
  });
  afterEach(async () => {
    await first.service.stop();
    await second?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  async function restart(): Promise<Bench> {
    await first.sandbox.close();
    second = await Bench.start({ journalFile });
    return second;
  }

  it('finds the calls that were placed before, as they ended', async () => {
    const { body: placed } = await first.call('0003');
    await first.ending();
    const again = await restart();
    const { body } = await again.rest('GET', '/Calls.json?To=%2B15005550003');
    expect(body['calls']).toEqual([
      expect.objectContaining({ sid: placed['sid'], status: 'busy', duration: '0' }),
    ]);
  });

  it('ends the calls that were running, and reports it', async () => {
    const { body: placed } = await first.call('0022');
    await first.service.frame(({ type }) => type === 'setup');
    const again = await restart();
    const ended = await first.service.webhook(({ params }) => params['CallStatus'] === 'completed');
    expect(ended).toMatchObject({ signed: true, params: { CallSid: placed['sid'], CallDuration: '1' } });
    const sid = String(placed['sid']);
    const { body } = await again.rest('GET', `/Calls/${sid}.json`);
    expect(body).toMatchObject({ status: 'completed', duration: '1', to: '+15005550022' });
    const { body: recorded } = await again.rest('GET', `/Calls/${sid}/Recordings.json`);
    expect(recorded['recordings']).toEqual([expect.objectContaining({ status: 'completed' })]);
  });

  it('lets a call that only rang end unanswered', async () => {
    const { body: placed } = await first.call('0004');
    await first.service.webhook(({ params }) => params['CallStatus'] === 'ringing');
    const again = await restart();
    const { body } = await again.rest('GET', `/Calls/${String(placed['sid'])}.json`);
    expect(body).toMatchObject({ status: 'no-answer', duration: '0' });
    await first.service.webhook(({ params }) => params['CallStatus'] === 'no-answer');
  });
});
