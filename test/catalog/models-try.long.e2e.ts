import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DIALECT_NAMES } from '../../tooling/sandbox/model/dialects.js';
import { SANDBOX_API_KEY } from '../../tooling/sandbox/defaults.js';
import { Bench } from '../../tooling/sandbox/sandbox.fake.js';
import { runCommand } from '../support/command.js';

describe('models try', () => {
  let bench: Bench;

  beforeAll(async () => {
    bench = await Bench.start();
  });
  afterAll(() => bench.stop());

  const attempt = async (name: string) => {
    const settings = { LLM_API_KEY: SANDBOX_API_KEY, LLM_BASE_URL: `${bench.sandbox.url}/v1` };
    const { code, output } = await runCommand(['models', 'try', name, '--json'], settings);
    const { missing } = JSON.parse(output) as { missing: string[] };
    return [code, missing];
  };

  // One tool is called at a time, unless the name asks for more.
  it.each(DIALECT_NAMES)('reads the dialect %s, and names what is missing', async (dialect) => {
    expect(await attempt(`sandbox-scripted+${dialect}`)).toEqual([0, ['parallel calls']]);
  });

  it.each([
    ['parallel', 0, []],
    ['parallel+no-usage', 0, ['usage in streams']],
    ['parallel+no-schema', 0, ['json_schema']],
    ['no-tools', 1, ['tools', 'parallel calls']],
    ['empty', 1, ['answers', 'tools', 'parallel calls']],
  ])('reports what %s lacks', async (quirks, code, missing) => {
    expect(await attempt(`sandbox-scripted+${quirks}`)).toEqual([code, missing]);
  });

  it('sends requests to a model of the catalogue as the catalogue defines', async () => {
    expect(await attempt('gpt-6-luna')).toEqual([0, ['parallel calls']]);
  });
});
