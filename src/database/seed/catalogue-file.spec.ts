import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { catalogueKeyOf, readCatalogue, type CatalogueEntry } from './catalogue-file.js';

/** Where the service, its demo and its documents name a model themselves: with only `LLM_API_KEY` set these are asked. */
const DEFAULTS = [
  'src/modules/speech/openai-realtime/session-settings.ts',
  'src/cli/demo-accounts.ts',
  'src/cli/demo/scenario.ts',
  'src/modules/assistants/dto/basic-fields.dto.ts',
  'console/src/pages/overview/demo.ts',
];

describe('the catalogue of the release', () => {
  const { models, voices, providers } = readCatalogue(null);
  const sourcesOf = ({ facts }: CatalogueEntry): unknown[] =>
    (facts as { sources?: unknown[] } | undefined)?.sources ?? [];
  const modelOf = (name: unknown) => models.find((entry) => entry['name'] === name);

  it('names every entry once', () => {
    for (const [kind, entries] of [
      ['models', models],
      ['voices', voices],
      ['providers', providers],
    ] as const) {
      expect(new Set(entries.map((entry) => catalogueKeyOf(kind, entry))).size).toBe(entries.length);
      expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
    }
  });

  it.each(
    [...models, ...providers].map(
      (entry) => [`${entry['kind'] ?? 'model'} ${entry['name']}`, entry] as const,
    ),
  )('has two sources, which differ, for the %s', (_, entry) => {
    const sources = new Set(sourcesOf(entry).map((source) => new URL(String(source)).href));
    expect(sources.size).toBeGreaterThanOrEqual(2);
    expect(sources.size).toBe(sourcesOf(entry).length);
  });

  it('replaces models that end, and fallback models, with models that stay', () => {
    for (const { fallback, replaced_by, retires_on } of models) {
      for (const name of [fallback, replaced_by ?? fallback])
        expect(modelOf(name)?.['retires_on']).toBe(undefined);
      expect(replaced_by === undefined).toBe(retires_on === undefined);
    }
  });

  it.each(DEFAULTS)('names in %s only models that are offered, today and later', (file) => {
    const names = new Set(readFileSync(file, 'utf8').match(/(?<=')gpt-[\w.-]+(?=')/g));
    expect(names.size).toBeGreaterThan(0);
    for (const name of names) {
      const provider = providers.find(({ code }) => code === name);
      const entry = modelOf(name) ?? provider;
      expect([name, entry?.['retires_on'], entry?.['endpoint']]).toEqual([name, undefined, undefined]);
    }
  });

  it('transcribes in realtime sessions with models that are offered', () => {
    for (const { transcription_model: name } of models.filter(({ mode }) => mode === 'multimodal')) {
      const provider = providers.find(({ code }) => code === name);
      expect([name, provider?.['retires_on']]).toEqual(['gpt-transcribe', undefined]);
    }
  });

  it.each(['gpt-6-luna', 'gpt-realtime-2.1'])('offers the default %s, which does not end', (name) => {
    const model = modelOf(name);
    expect([model?.['endpoint'], model?.['retires_on']]).toEqual([undefined, undefined]);
    expect(providers.find(({ code }) => code === 'gpt-transcribe')?.['retires_on']).toBe(undefined);
  });
});

describe('the file of the operator', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'catalogue-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const fileWith = (text: string): string => {
    const file = join(directory, 'catalogue.yaml');
    writeFileSync(file, text);
    return file;
  };

  it('changes fields of entries, and adds others', () => {
    const { models } = readCatalogue(
      fileWith('models:\n  - { name: GPT-6-Luna, reasoning_effort: low }\n  - { name: ours, code: x }\n'),
    );
    expect(models.find(({ id }) => id === 11)).toMatchObject({
      reasoning_effort: 'low',
      takes_temperature: false,
    });
    expect(models.at(-1)).toEqual({ name: 'ours', code: 'x' });
  });

  it.each([
    [
      'models:\n  - { name: x, colour: red }\n',
      /not usable: \/models\/0 must NOT have additional properties/,
    ],
    ['models:\n  - { code: x }\n', /not usable: \/models\/0 must have required property 'name'/],
    [
      'models:\n  - { name: x, retires_on: soon }\n',
      /not usable: \/models\/0\/retires_on must match pattern/,
    ],
    ['models: [', /cannot be read/],
  ])('is refused with what is wrong: %j', (text, message) => {
    expect(() => readCatalogue(fileWith(text))).toThrow(message);
  });

  it('is refused when it does not exist', () => {
    expect(() => readCatalogue(join(directory, 'none.yaml'))).toThrow(
      /CATALOGUE_FILE .*none\.yaml cannot be read/,
    );
  });
});
