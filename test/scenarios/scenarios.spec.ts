import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { declaredFields } from '#src/common/validation/declared-fields.js';
import { CreateAssistantDto } from '#src/modules/assistants/dto/assistant-input.dto.js';
import { SETTING_EFFECTS } from '#src/modules/assistants/setting-effects.js';
import { playScenario } from '../support/scenarios/judge-scenario.js';
import { exceptionOn, speaksOfRelay } from '../support/scenarios/multimodal-scenarios.js';
import { parseScenarios, readBodies, readScenarios } from '../support/scenarios/read-scenarios.js';
import { AUDIO_LINES, VARIANTS, type Line, type Scenario } from '../support/scenarios/scenario.types.js';

Logger.overrideLogger(false);

const FOLDER = 'test/scenarios';
const scenarios = readScenarios(FOLDER);
const held = scenarios.filter(({ pending }) => pending === undefined);
const pending = scenarios.filter((scenario) => scenario.pending !== undefined);

async function judged(scenario: Scenario, line: Line): Promise<void> {
  const problems = await playScenario(scenario, line);
  if (exceptionOn(scenario, line) === undefined) expect(problems).toEqual([]);
  // An exception that is not needed any more has to go.
  else expect(problems).not.toEqual([]);
}

describe.each(held)('$file: $name', (scenario) => {
  it.each(VARIANTS)('runs without problems on a line whose speaking events are "%s"', (variant) =>
    judged(scenario, variant),
  );
});

const spoken = held.filter((scenario) => !speaksOfRelay(scenario));

describe.each(AUDIO_LINES)('in multimodal mode, on the line "%s"', (line) => {
  it.each(spoken)('$file: $name', (scenario) => judged(scenario, line));
});

describe('pending scenarios', () => {
  it('fail, else their mark has to be removed', async () => {
    const holding: string[] = [];
    for (const scenario of pending) {
      const variants = VARIANTS.filter((variant) => exceptionOn(scenario, variant) === undefined);
      const problems: string[] = [];
      for (const variant of variants) problems.push(...(await playScenario(scenario, variant)));
      if (problems.length === 0) holding.push(`${scenario.file}: ${scenario.name} (${scenario.pending})`);
    }
    expect(holding).toEqual([]);
  });
});

describe('the examples of docs/build/scenarios.md', () => {
  const schema: unknown = JSON.parse(readFileSync(`${FOLDER}/scenario.schema.json`, 'utf8'));
  const text = readFileSync('docs/build/scenarios.md', 'utf8');
  const examples = [...text.matchAll(/```yaml\n(.*?)```/gs)].map(([, yaml = '']) => yaml);

  it('run without problems', async () => {
    expect(examples.length).toBeGreaterThan(1);
    for (const scenario of examples.flatMap((yaml) => parseScenarios(yaml, 'SCENARIOS.md', schema)))
      expect(await playScenario(scenario, 'ordinary')).toEqual([]);
  });
});

describe('the scenarios', () => {
  it('are at least sixty', () => {
    expect(held.length).toBeGreaterThanOrEqual(60);
  });

  // Requests may also have the names of answers, which set nothing else.
  it.each(declaredFields(CreateAssistantDto).filter((field) => field in SETTING_EFFECTS))(
    'have one that sets %s',
    (field) => {
      expect(readBodies(FOLDER).some((body) => Object.hasOwn(body, field))).toBe(true);
    },
  );
});
