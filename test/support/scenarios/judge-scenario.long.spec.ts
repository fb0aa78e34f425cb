import { describe, expect, it } from '@jest/globals';
import { judgeScenario, matches } from './judge-scenario.js';
import { parseScenarios } from './read-scenarios.js';
import { runScenario } from './run-scenario.js';
import type { Expectations } from './scenario.types.js';

const [scenario] = parseScenarios(
  `scenarios:
  - name: one question
    script:
      - { at: 3s, customer: When do you open? }
      - { after: assistant has spoken, plus: 2s, hangs_up: true }
    model: [We open at nine.]
    expect: {}`,
  'inline.yaml',
  {},
);
if (!scenario) throw new Error('one scenario is written above');
const seen = await runScenario(scenario, 'ordinary');

describe('matches', () => {
  it('reads a text as it is, and a regular expression between slashes', () => {
    expect(matches('a.c', 'a.c')).toBe(true);
    expect(matches('a.c', 'abc')).toBe(false);
    expect(matches('/^a.c$/', 'abc')).toBe(true);
  });
});

describe('judgeScenario', () => {
  it('accepts the expected result', () => {
    const right: Expectations = {
      said: ['Hello, this is Ada.', { text: 'We open at nine.', begins: '4s..4100ms' }],
      transcript: ['AI: Hello, this is Ada.', 'Customer: When do you open?', '/nine/'],
      heard_is_stored: true,
      ended: { by: 'customer', reason: 'customer_hangup', at: '6s..8s' },
      answered_within: '10ms',
      documents: 1,
      rendered: { 'ConversationRelay.language': 'en-US', 'ConversationRelay.nothing': null },
    };
    expect(judgeScenario(right, seen)).toEqual([]);
  });

  it.each<[string, Expectations]>([
    ['said', { said: ['Hello, this is Ada.'] }],
    ['said', { said: ['Hello, this is Ada.', { text: 'We open at nine.', cut: true }] }],
    ['said', { said: ['Hello, this is Ada.', { text: 'We open at nine.', begins: '1s..2s' }] }],
    ['transcript', { transcript: [] }],
    ['ended.by', { ended: { by: 'system' } }],
    ['ended.at', { ended: { at: '1s..2s' } }],
    ['rendered.ConversationRelay.language', { rendered: { 'ConversationRelay.language': 'de-DE' } }],
    ['rendered.ConversationRelay.language', { rendered: { 'ConversationRelay.language': null } }],
    ['documents', { documents: 2 }],
    ['settings_not_applied', { settings_not_applied: ['voice_id'] }],
    ['asked', { asked: [] }],
    ['asked.0.temperature', { asked: [{ temperature: 1 }] }],
    ['asked.0.tools', { asked: [{ tools: {} }] }],
    ['asked.0.ends', { asked: [{ ends: ['customer: Hello?'] }] }],
    ['tool_runs', { tool_runs: [{ name: 'check_slot' }] }],
    ['suppressed', { suppressed: true }],
    ['placed.from', { placed: { from: '+1' } }],
    ['evaluation', { evaluation: null }],
    ['webhooks', { webhooks: [{ event: 'call.completed', url: 'https://example.com' }] }],
    ['assistant.engine_id', { assistant: { engine_id: 1 } }],
  ])('names a wrong %s', (name, wrong) => {
    const problems = judgeScenario(wrong, seen);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.startsWith(`${name}: `)).toBe(true);
  });

  it('names answers without a request, and late answers', () => {
    expect(judgeScenario({}, { ...seen, unasked: 1 })).toEqual(['model: 1 answers were not asked for']);
    expect(judgeScenario({ answered_within: '10ms' }, { ...seen, answerDelays: [0, 30] })).toEqual([
      'answered_within: 30 ms instead of 10ms',
    ]);
    expect(judgeScenario({ heard_is_stored: true }, { ...seen, transcript: [] })).toHaveLength(1);
  });
});
