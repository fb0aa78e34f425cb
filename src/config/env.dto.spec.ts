import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { envFieldsOf } from './env-fields.js';
import { ENV_GROUPS } from './env-groups.js';
import { loadSettings } from './settings.js';

const declared = ENV_GROUPS.flatMap((group) =>
  [...envFieldsOf(group)].map(([property, field]) => ({
    ...field,
    default: field.unset ?? `\`${Reflect.get(new group(), property)}\``,
  })),
);
const names = declared.map(({ name }) => name).sort();

describe('.env.example', () => {
  const entries = [...readFileSync('.env.example', 'utf8').matchAll(/^#?([A-Z0-9_]+)=(.*)$/gm)].map(
    ([, name = '', value = '']) => [name, value] as const,
  );

  it('names every setting once', () => {
    expect(entries.map(([name]) => name).sort()).toEqual(names);
  });

  it('has a value for each that is accepted', () => {
    expect(entries.filter(([, value]) => value === '')).toEqual([]);
    // In production the published values of secrets are refused.
    const settings = Object.fromEntries(entries.filter(([name]) => name !== 'NODE_ENV'));
    expect(() => loadSettings(settings)).not.toThrow();
  });
});

describe('docs/run/settings.md', () => {
  const page = readFileSync('docs/run/settings.md', 'utf8');
  const rows = [...page.matchAll(/^\| `([A-Z0-9_]+)` +\| (.+?) +\| (.+?) +\|$/gm)].map(
    ([, name = '', unset = '', description = '']) => ({ name, default: unset, description }),
  );

  it('has a row for every setting, with its default and description', () => {
    const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);
    const expected = declared.map(({ name, default: unset, description }) => ({
      name,
      default: unset,
      description,
    }));
    expect([...rows].sort(byName)).toEqual(expected.sort(byName));
  });
});

it('no setting has an example that is refused', () => {
  const examples = declared
    .filter(({ name }) => name !== 'NODE_ENV')
    .map((field) => [field.name, field.example]);
  expect(() => loadSettings(Object.fromEntries(examples))).not.toThrow();
});
