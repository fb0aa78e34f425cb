import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parseScenarios } from './read-scenarios.js';

const schema: unknown = JSON.parse(readFileSync('test/scenarios/scenario.schema.json', 'utf8'));
const read = (text: string) => parseScenarios(text, 'mine.yaml', schema);

describe('parseScenarios', () => {
  it('adds the defaults of a scenario', () => {
    const [scenario] = read('scenarios: [{ name: short, assistant: { voice_id: 2 }, expect: { said: [] } }]');
    expect(scenario).toMatchObject({
      name: 'short',
      file: 'mine.yaml',
      assistant: { assistant_name: 'Ada', voice_id: 2, language: 'English' },
      call: { direction: 'outbound', customer: '+15005550020' },
      script: [],
      model: [],
    });
  });

  it('includes shared parts', () => {
    const [, second] = read(`scenarios:
  - &first { name: first, call: { until: 2s }, expect: { said: [] } }
  - { <<: *first, name: second }`);
    expect(second).toMatchObject({ name: 'second', call: { until: '2s' } });
  });

  it.each([
    ['no YAML', 'scenarios: [', /^mine\.yaml: .*\(1:13\)/s],
    ['nothing', 'scenarios: []', /^mine\.yaml: scenarios must NOT have fewer than 1 items$/],
    [
      'an unknown field',
      'scenarios: [{ name: odd, expect: { sad: [] } }]',
      'mine.yaml: scenarios.0.expect (odd) must NOT have additional properties: sad',
    ],
    [
      'a time without a unit',
      "scenarios: [{ name: odd, script: [{ at: '2', keys: '1' }], expect: { said: [] } }]",
      /^mine\.yaml: scenarios\.0\.script\.0\.at \(odd\) must match pattern/,
    ],
    [
      'a step that does two things',
      "scenarios: [{ name: odd, script: [{ keys: '1', noise: 1s }], expect: { said: [] } }]",
      'mine.yaml: scenarios.0.script.0 (odd) must have exactly one of: customer, noise, person, keys, hangs_up, machine, ' +
        'line_error, frame',
    ],
    [
      'an unknown direction',
      'scenarios: [{ name: odd, call: { direction: sideways }, expect: { said: [] } }]',
      'mine.yaml: scenarios.0.call.direction (odd) must be equal to one of the allowed values: outbound, inbound',
    ],
    [
      'two mistakes',
      'scenarios: [{ name: odd, expect: {} }, { name: even }]',
      'mine.yaml: scenarios.0.expect (odd) must NOT have fewer than 1 properties\n' +
        "mine.yaml: scenarios.1 (even) must have required property 'expect'",
    ],
  ])('refuses %s', (_, text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});
