import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unreachableServer } from './doctor.fake.js';
import { runDoctor } from './run-doctor.js';

describe('runDoctor', () => {
  it('reports every invalid setting with an example', async () => {
    const findings = await runDoctor({ PORT: 'abc', DATABASE_URL: 'foo' });
    expect(findings.map(({ name, state }) => [name, state])).toEqual([
      ['settings', 'fail'],
      ['settings', 'fail'],
    ]);
    expect(findings[0]?.what).toContain('PORT=3000');
    expect(findings[1]?.what).toContain('DATABASE_URL=postgres://');
  });

  it('runs all checks, and reports an unusable data directory once', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'doctor-'));
    writeFileSync(join(dir, 'file'), '');
    const { port } = await unreachableServer();
    const findings = await runDoctor({ DATA_DIR: join(dir, 'file', 'data'), PORT: String(port) });
    rmSync(dir, { recursive: true, force: true });
    expect(findings.map(({ name, state }) => `${state} ${name}`)).toEqual([
      'ok settings',
      'fail data directory',
      'ok port',
      'fail database',
      'fail redis',
      'ok recordings',
      'ok carrier',
      'ok model',
      'ok public URL',
      'ok proxies',
    ]);
    expect(findings[3]?.what).toBe('lives in the data directory');
  });
});
