import { expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Journal } from './journal.js';

const call = (sid: string) => ({ sid, from: '+15005550100', to: `+1500555${sid}` });

it('forgets a call, also in its file and what is reported of it later', () => {
  const folder = mkdtempSync(join(tmpdir(), 'journal-'));
  const file = join(folder, 'journal.jsonl');
  const journals = [new Journal(), new Journal(file)];
  for (const journal of journals) {
    for (const sid of ['2001', '2002']) journal.write('dial', call(sid));
    journal.forget('2001');
    journal.write('callback', call('2001'));
    journal.write('callback', call('2002'));
    expect(journal.all().map(({ kind, sid }) => [kind, sid])).toEqual([
      ['dial', '2002'],
      ['callback', '2002'],
    ]);
    journal.close();
  }
  expect(readFileSync(file, 'utf8')).not.toContain('2001');
  rmSync(folder, { recursive: true });
});
