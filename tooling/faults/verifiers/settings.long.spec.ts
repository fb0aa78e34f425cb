import { describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { parseScenarios } from '../../../test/support/scenarios/read-scenarios.js';
import { verifySettings } from './settings.js';
import { isFixed, mutationsOf } from '../settings/mutations.js';
import { firstCatch, plannedBy } from '../settings/settings-bench.js';
import { UNCHANGED } from '../../../test/support/scenarios/mutation.js';

Logger.overrideLogger(false);

const [bare, slow] = parseScenarios(
  `scenarios:
  - { name: bare, call: { until: 2s }, expect: { said: ['Hello, this is Ada.'] } }
  - name: slow
    assistant: { speech_speed: 0.8 }
    call: { until: 2s }
    expect: { rendered: { Language.voice: 21m00Tcm4TlvDq8ikWAM-0.8_0.7_0.5 } }`,
  'inline.yaml',
  {},
);
if (!bare || !slow) throw new Error('two scenarios are written above');

describe('verifySettings', () => {
  it('accepts a run in which every mutation is caught', () => {
    expect(verifySettings([{ mutation: 'relay.greeting', caughtBy: 'bare' }])).toEqual([]);
  });

  it('names a mutation that no scenario detects', () => {
    const verdicts = [
      { mutation: 'relay.greeting', caughtBy: 'bare' },
      { mutation: 'relay.record', caughtBy: null },
    ];
    expect(verifySettings(verdicts)).toEqual(['relay.record: no scenario misses it']);
  });

  it('refuses an empty run', () => {
    expect(verifySettings([])).toEqual(['nothing was replaced']);
  });
});

describe('mutations', () => {
  it('cover each field of the plan and each attribute', async () => {
    const names = mutationsOf(await plannedBy(bare), [await plannedBy(slow)]).map(({ name }) => name);
    for (const name of [
      'relay.speechSpeed',
      'relay.voice.provider',
      'settings.tools',
      'rendered Language.voice',
    ])
      expect(names).toContain(name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('are caught by the scenario that needs the value', async () => {
    const mutations = mutationsOf(await plannedBy(bare), []);
    const speed = mutations.find(({ name }) => name === 'relay.speechSpeed');
    expect(await firstCatch([bare, slow], speed?.mutation ?? UNCHANGED)).toBe('slow');
    expect(await firstCatch([bare], speed?.mutation ?? UNCHANGED)).toBeNull();
  });

  it('omit a value only while nothing sets it', () => {
    const planned = (fallbackAfterMs: number) => ({
      relay: {},
      settings: { fallbackAfterMs },
      placed: {},
      attributes: [],
    });
    expect(isFixed('settings.fallbackAfterMs', [planned(3_000)])).toBe(true);
    expect(isFixed('relay.speechSpeed', [planned(3_000)])).toBe(false);
    expect(() => isFixed('settings.fallbackAfterMs', [planned(3_000), planned(500)])).toThrow(
      'not fixed any more',
    );
  });

  it('stay undetected when they change nothing', async () => {
    expect(await firstCatch([bare, slow], UNCHANGED)).toBeNull();
  });
});
