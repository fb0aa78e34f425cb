import { describe, expect, it } from '@jest/globals';
import type { CampaignDetailsResponse } from '#src/modules/campaigns/dto/campaign.response.js';
import { watchCampaign } from './campaign-watch.js';
import { showImportProgress } from './import-progress.js';
import { LiveLines, PlainLines } from './live-lines.js';

const campaign = (status: string, leads: object, calls: object, reason: string | null = null) =>
  ({
    name: 'Spring',
    status,
    stopped_reason: reason,
    paused_reason: null,
    stats: { leads, calls, transfers: {}, actions: {} },
  }) as unknown as CampaignDetailsResponse;

async function watched(states: CampaignDetailsResponse[], signal = new AbortController().signal) {
  let written = '';
  const left = [...states];
  const last = await watchCampaign({
    read: async () => left.shift() ?? campaign('draft', {}, {}),
    view: new PlainLines({ write: (text: unknown) => (written += String(text)).length > 0 }),
    wait: async () => undefined,
    signal,
  });
  return { last, left, lines: written.split('\n').slice(0, -1) };
}

describe('watchDemoCampaign', () => {
  it('shows what changes until the campaign and its last call have ended', async () => {
    const running = campaign('in-progress', { created: 3, completed: 1 }, { ringing: 2 });
    const stopped = campaign('stopped', { created: 3, completed: 1 }, { 'in-progress': 1 }, 'balance');
    const over = campaign('stopped', { created: 2, completed: 2 }, { completed: 2 }, 'balance');
    const { last, left, lines } = await watched([running, running, stopped, over, running]);
    expect(last).toBe(over);
    expect(left).toHaveLength(1);
    expect(lines.filter((line) => line.startsWith('Spring'))).toEqual([
      'Spring: in-progress, 2 calls now',
      'Spring: stopped (balance), 1 call now',
      'Spring: stopped (balance), 0 calls now',
    ]);
    expect(lines).toContain('[██████░░░░░░░░░░░░░░░░░░] 1/4 leads done');
    expect(lines).toContain('leads      created 2  completed 2');
    expect(lines).toContain('transfers  -');
  });

  it('ends when it is aborted', async () => {
    const { last, lines } = await watched([campaign('in-progress', {}, {})], AbortSignal.abort());
    expect([last.status, lines[0]]).toEqual(['in-progress', 'Spring: in-progress, 0 calls now']);
  });
});

describe('progress of an import', () => {
  const report = { imported: 1, duplicates: 2, invalid: 3, errors: [] };
  const shown = (isTTY: boolean) => {
    const written: string[] = [];
    const write = (text: string) => written.push(text) > 0;
    const told = showImportProgress({ isTTY, columns: 80, write } as unknown as NodeJS.WriteStream, {}, 1000);
    for (let bytes = 10; bytes <= 1000; bytes += 10) told(bytes, report);
    return written;
  };

  it('is a line for every tenth in a file', () => {
    const lines = shown(false);
    expect(lines).toHaveLength(10);
    expect(lines[4]).toBe('[████████████░░░░░░░░░░░░] 50 %  1 imported, 2 known before, 3 invalid\n');
  });

  it('is one line that overwrites itself on a terminal', () => {
    const lines = shown(true);
    expect(lines).toHaveLength(100);
    expect(lines[1]?.startsWith('\u001B[1A\u001B[2K')).toBe(true);
  });

  it('truncates lines at the width of the terminal', () => {
    let written = '';
    new LiveLines({ columns: 10, write: (text: unknown) => (written += String(text)).length > 0 }).show([
      '0123456789abc',
    ]);
    expect(written).toBe('\u001B[2K012345678\n');
  });
});
