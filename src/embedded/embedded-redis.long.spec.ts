import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EmbeddedServer } from './child-server.js';
import { findRunningRedis, startEmbeddedRedis } from './embedded-redis.js';

describe('embedded Redis', () => {
  const path = process.env['PATH'];
  let dataDir: string;
  let server: EmbeddedServer | null = null;

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'embedded redis '));
  });

  afterEach(async () => {
    process.env['PATH'] = path;
    await server?.stop();
    server = null;
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function start(): Promise<EmbeddedServer | null> {
    server = await startEmbeddedRedis({ dataDir, log: () => undefined });
    return server;
  }

  it('is absent on a machine without one', async () => {
    process.env['PATH'] = dataDir;
    expect(await start()).toBeNull();
    expect(findRunningRedis(dataDir)).toBeNull();
  });

  if (!isInstalled()) return;

  it('keeps its data from one run to the next', async () => {
    await start();
    expect(await send('SET kept 42')).toBe('+OK');
    await server?.stop();
    await start();
    expect(await send('GET kept')).toBe('$2 42');
  });

  it('appends every second, evicts nothing, and refuses clients without the password', async () => {
    await start();
    expect(await send('CONFIG GET appendonly')).toContain('yes');
    expect(await send('CONFIG GET appendfsync')).toContain('everysec');
    expect(await send('CONFIG GET maxmemory-policy')).toContain('noeviction');
    expect(await send('GET kept', 'wrong')).toContain('NOAUTH');
    expect(statSync(join(dataDir, 'redis.password')).mode & 0o777).toBe(0o600);
  });

  it('is found by other commands while it runs, and only then', async () => {
    const url = (await start())?.url;
    expect(findRunningRedis(dataDir)).toEqual({ url, pid: expect.any(Number) });
    await expect(startEmbeddedRedis({ dataDir, log: () => undefined })).rejects.toThrow('already runs');
    await server?.stop();
    expect(findRunningRedis(dataDir)).toBeNull();
  });

  /** One command and its answer, lines joined by spaces. */
  async function send(command: string, password = new URL(server?.url ?? '').password): Promise<string> {
    const socket = createConnection(Number(new URL(server?.url ?? '').port), '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => (answer += String(chunk)));
    socket.end(`AUTH ${password}\r\n${command}\r\n`);
    await once(socket, 'close');
    return answer.split('\r\n').slice(1, -1).join(' ');
  }
});

function isInstalled(): boolean {
  try {
    execFileSync('/bin/sh', ['-c', 'command -v redis-server || command -v valkey-server']);
    return true;
  } catch {
    return false;
  }
}
