import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { loadSettings } from './settings.js';
import { VARIABLES } from './variables.js';

describe('.env.example', () => {
  const entries = [...readFileSync('.env.example', 'utf8').matchAll(/^#?([A-Z_]+)=(.*)$/gm)].map(
    ([, name = '', value = '']) => [name, value] as const,
  );

  it('names every environment variable of the service once', () => {
    const names = entries.map(([name]) => name).sort();
    expect(names).toEqual([...Object.keys(VARIABLES), 'NODE_ENV'].sort());
  });

  it('has a value for each that is accepted', () => {
    expect(entries.filter(([, value]) => value === '')).toEqual([]);
    // In production the published values of secrets are refused.
    const settings = Object.fromEntries(entries.filter(([name]) => name !== 'NODE_ENV'));
    expect(() => loadSettings(settings)).not.toThrow();
  });
});
