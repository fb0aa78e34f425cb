import { beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { anAccount, type TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { callWhen } from '../factories/call.js';
import { againUrl, beginWebCall, Browser, type WebCall } from '../factories/web-call.js';
import { database } from '../support/database.js';
import { until } from '../support/until.js';

interface Record {
  status: string;
  ended_by: string;
  ended_reason: string;
  transcript: string;
  total_cost: number;
}

const begin = (account: TestAccount, assistant_id: number) => beginWebCall(account, { assistant_id });

async function recordWhen(account: TestAccount, { call_id }: WebCall, wanted: string): Promise<Record> {
  await callWhen(account, call_id, ({ status }) => status === wanted);
  return (await account.client.get<Record>(`/user/calls/${call_id}`)).body;
}

describe('the line of a web call', () => {
  let account: TestAccount;
  let assistantId: number;

  beforeAll(async () => {
    account = await anAccount();
    assistantId = await anAssistant(account);
  });

  it('is opened once with its ticket, and with no other one', async () => {
    const call = await begin(account, assistantId);
    const browser = await Browser.open(call.url);
    await browser.hears(/help you/);
    await expect(Browser.open(call.url)).rejects.toThrow('404');
    await expect(Browser.open(call.url.replace(call.token, 'x'.repeat(32)))).rejects.toThrow('404');
    await expect(Browser.open(`${call.url}/x`)).rejects.toThrow('404');
    browser.socket.close(1000);
    await recordWhen(account, call, 'completed');
    await expect(Browser.open(await againUrl(call, browser))).rejects.toThrow('404');
  });

  it('is not opened by a request that is not a handshake, and can be opened afterwards', async () => {
    const call = await begin(account, assistantId);
    const { hostname, port, pathname } = new URL(call.url);
    const socket = connect(Number(port), hostname);
    socket.end(`GET ${pathname} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(String(answer)).toMatch(/^HTTP\/1.1 426 Upgrade Required\r\nSec-WebSocket-Version: 13/);
    const browser = await Browser.open(call.url);
    await browser.hears(/help you/);
    browser.socket.close(1000);
    await recordWhen(account, call, 'completed');
  });

  it('is not opened when the ticket is a minute old; the call ends without a cost', async () => {
    const call = await begin(account, assistantId);
    await database().query(`UPDATE calls SET created_at = now() - interval '61 seconds' WHERE id = $1`, [
      call.call_id,
    ]);
    await expect(Browser.open(call.url)).rejects.toThrow('404');
    await database().query('UPDATE calls SET check_at = now() WHERE id = $1', [call.call_id]);
    expect(await recordWhen(account, call, 'no-answer')).toMatchObject({
      ended_reason: 'not_connected',
      total_cost: 0,
    });
    const { rows } = await database().query('SELECT held_micros::int AS held FROM accounts WHERE id = $1', [
      account.id,
    ]);
    expect(rows).toEqual([{ held: 0 }]);
  });

  it('is reopened when it breaks, and then sends what was spoken meanwhile', async () => {
    const call = await begin(account, assistantId);
    const first = await Browser.open(call.url);
    await first.hears(/help you/);
    const url = await againUrl(call, first);
    first.says('What is your name?');
    await first.frame(({ type, token }) => type === 'text' && !/help you/.test(String(token)));
    first.socket.terminate();
    const second = await Browser.open(url);
    second.says('Thank you, goodbye.');
    await second.frame(({ type }) => type === 'end');
    expect(second.frames.filter(({ type }) => type === 'ready')).toEqual([]);
    second.socket.close(1000);
    const { transcript, ended_reason } = await recordWhen(account, call, 'completed');
    expect(ended_reason).toBe('goodbye');
    expect(transcript.match(/help you\?/g)).toHaveLength(1);
    expect(transcript).toMatch(/Customer: What is your name\?\n/);
  });

  it('is lost with its process; then the call ends by itself', async () => {
    const call = await begin(account, assistantId);
    const browser = await Browser.open(call.url);
    await browser.hears(/help you/);
    // As if nobody had kept it for half a minute, also after the process that does it said again that it does.
    await until(async () => {
      const { rowCount } = await database().query(
        'UPDATE calls SET check_at = now() WHERE id = $1 AND ended_at IS NULL',
        [call.call_id],
      );
      return rowCount === 0;
    });
    expect(await recordWhen(account, call, 'completed')).toMatchObject({
      ended_by: 'system',
      ended_reason: 'line_lost',
    });
    browser.socket.close(1000);
  });

  it('stores nothing more once another process has taken the call over', async () => {
    const call = await begin(account, assistantId);
    const browser = await Browser.open(call.url);
    await browser.hears(/help you/);
    const client = await database().connect();
    const isStored = async (words: string) => {
      const { rowCount } = await database().query(
        'SELECT 1 FROM call_turns WHERE call_id = $1 AND strpos(text, $2) > 0',
        [call.call_id, words],
      );
      return rowCount !== 0;
    };
    await until(() => isStored('help you'));
    try {
      await client.query('BEGIN');
      const { rows } = await client.query<{ pid: number }>(
        'UPDATE calls SET conversation_claim = conversation_claim + 1 WHERE id = $1 RETURNING pg_backend_pid() AS pid',
        [call.call_id],
      );
      const waits = async () => {
        const { rowCount } = await database().query(
          'SELECT 1 FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))',
          [rows[0]?.pid],
        );
        return rowCount !== 0;
      };
      browser.says('My number is 7.');
      await until(async () => (await waits()) || isStored('number is 7'));
      await client.query('COMMIT');
      await until(async () => !(await waits()));
    } finally {
      client.release();
    }
    await database().query('UPDATE calls SET check_at = now() WHERE id = $1', [call.call_id]);
    expect((await recordWhen(account, call, 'completed')).transcript).not.toContain('number is 7');
    expect(await isStored('number is 7')).toBe(false);
    browser.socket.close(1000);
  });

  it('is closed when a browser sends too much', async () => {
    const call = await begin(account, assistantId);
    const browser = await Browser.open(call.url);
    await browser.hears(/help you/);
    for (let count = 0; count < 1_000; count += 1) browser.send({ type: 'played', text: 'x' });
    expect(await browser.closed).toBe(1008);
    const other = await begin(account, assistantId);
    const loud = await Browser.open(other.url);
    loud.says('x'.repeat(20_000));
    expect(await loud.closed).toBe(1009);
    await recordWhen(account, call, 'completed');
    await recordWhen(account, other, 'completed');
  });
});
