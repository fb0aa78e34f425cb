import { describe, expect, it } from '@jest/globals';
import { frame, readResponse } from './read-response.fake.js';

const TOOLS = ['look_up', 'book_table', 'end_call'];
const HELLO = 'We open at nine.';
const ARGS = '{"day":"Monday"}';
const MONDAY = ['look_up', { day: 'Monday' }];
const END_CALL = ['end_call', {}];
const SECRET = 'Thought: The customer is impatient.';
const CALL = `Action: look_up\nAction Input: ${ARGS}`;

const CUTS: [string, (text: string) => string[]][] = [
  ['whole', (text) => [text]],
  ['in words', (text) => text.match(/\s*\S+\s*/g) ?? []],
  ['in tokens', (text) => text.match(/\s?\w+|[^\w]/g) ?? []],
  ['in characters', (text) => [...text]],
];

describe.each(CUTS)('steps of ReAct that come %s', (_, cut) => {
  const read = (text: string, tools: readonly string[] = TOOLS, finish = 'stop') =>
    Promise.all(
      [true, false].map(async (isSpoken) => {
        const frames = cut(text).map((content) => frame({ content }));
        const answer = await readResponse([...frames, frame({}, finish)], tools, isSpoken);
        return {
          text: answer.text.replace(/\s+/g, ' ').trim(),
          made: answer.calls.map((call) => [call.name, JSON.parse(call.arguments) as unknown]),
          failed: answer.error !== null,
        };
      }),
    );
  const each = async (text: string, expected: { text?: string; made?: unknown[]; failed?: boolean }) => {
    for (const answer of await read(text))
      expect(answer).toEqual({ text: '', made: [], failed: false, ...expected });
  };

  it.each([
    ['a call', `${SECRET}\n${CALL}`],
    ['a call without a thought', CALL],
    ['an observation of its own', `${SECRET}\n${CALL}\nObservation: forty percent\n`],
    ['an observation that the model waits for', `${SECRET}\n${CALL}\nObservation:`],
    ['bold labels', `**Thought:** I must.\n\n**Action:** look_up\n**Action Input:** ${ARGS}\n`],
    ['numbers', `Thought 1: I must.\nAction 1: look_up\nAction Input 1: ${ARGS}\nObservation 1: x`],
    ['blank lines', `${SECRET}\n\nAction: look_up\n\nAction Input:\n\n${ARGS}\n\nObservation: x`],
    ['one line', `${SECRET} Action: look_up Action Input: ${ARGS}`],
    ['quotes around the name', `${SECRET}\nAction: \`look_up\`\nAction Input: ${ARGS}`],
    ['stars around the name', `${SECRET}\nAction: **look_up**\nAction Input: ${ARGS}`],
    ['a space of names', `${SECRET}\nAction: functions.look_up\nAction Input: ${ARGS}`],
    [
      'a code block',
      `${SECRET}\nAction: look_up\nAction Input:\n\`\`\`json\n${ARGS}\n\`\`\`\nObservation: x`,
    ],
    ['JSON in lines', `${SECRET}\nAction: look_up\nAction Input: {\n  "day": "Monday"\n}\nObservation: x`],
    ['a Python dictionary', `${SECRET}\nAction: look_up\nAction Input: {'day': 'Monday'}`],
    ['code', `${SECRET}\nAction: look_up(day="Monday")\nObservation: x`],
    ['the name and an object', `${SECRET}\nAction: look_up ${ARGS}`],
    ['an object', `${SECRET}\nAction: {"action": "look_up", "action_input": ${ARGS}}`],
    [
      'an object in a code block',
      `${SECRET}\nAction:\n\`\`\`json\n{"action": "look_up", "action_input": ${ARGS}}\n\`\`\``,
    ],
    ['small letters', `thought: I must.\naction: look_up\naction input: ${ARGS}\nobservation: x`],
    ['a thought with lines', `Thought: I must.\nThe customer wants.\n\nSo:\n${CALL}`],
    [
      'a thought about actions',
      `Thought: Action: call somebody? No.\nAction: look_up\nAction Input: ${ARGS}`,
    ],
  ])('call the tool, and speak nothing: %s', async (__, text) => {
    await each(text, { made: [MONDAY] });
  });

  it.each([
    ['an empty object', 'Action Input: {}'],
    ['none', 'Action Input: None'],
    ['null', 'Action Input: null'],
    ['nothing', 'Action Input:'],
    ['no input', ''],
    ['no input, but an observation', 'Observation: The call is over.'],
  ])('call a tool without arguments: %s', async (__, input) => {
    await each(`Thought: The customer is done.\nAction: end_call\n${input}`, { made: [END_CALL] });
    await each(`Action: end_call\n${input}`, { made: [END_CALL] });
  });

  it.each([
    [
      'a call, an observation',
      `${SECRET}\n${CALL}\nObservation: x\nThought: I know.\nFinal Answer: ${HELLO}`,
    ],
    ['a call alone', `${SECRET}\n${CALL}\nFinal Answer: ${HELLO}`],
    ['an answer of LlamaIndex', `${SECRET}\n${CALL}\nObservation: x\nThought: I know.\nAnswer: ${HELLO}`],
    ['words before', `${HELLO}\n${CALL}`],
    ['words before a thought', `${HELLO}\n${SECRET}\n${CALL}`],
    ['a paragraph behind', `${CALL}\n\n${HELLO}`],
    ['a bold answer', `${CALL}\n**Final Answer:** ${HELLO}`],
  ])('call the tool, and speak the answer: %s', async (__, text) => {
    await each(text, { text: HELLO, made: [MONDAY] });
  });

  it('call several tools', async () => {
    const second = `Thought: And then.\nAction: book_table\nAction Input: {"day":"Friday"}`;
    await each(`${SECRET}\n${CALL}\nObservation: x\n${second}\nObservation: y\nFinal Answer: ${HELLO}`, {
      text: HELLO,
      made: [MONDAY, ['book_table', { day: 'Friday' }]],
    });
    await each(`${CALL}\n${second}`, { made: [MONDAY, ['book_table', { day: 'Friday' }]] });
  });

  it.each([
    ['an answer', `${SECRET}\nFinal Answer: ${HELLO}`],
    ['an answer in the same line', `${SECRET} I know it. Final Answer: ${HELLO}`],
    ['another name of a thought', `**Thinking:** I must.\n\n**Answer:** ${HELLO}`],
    ['a reasoning and a response', `Reasoning: I must.\nSo.\nResponse: ${HELLO}`],
    ['an answer of a conversational agent', `Thought: Do I need a tool? No\nAI: ${HELLO}`],
    ['several thoughts', `${SECRET}\nThought: So what.\nFinal answer: ${HELLO}`],
    ['an answer alone', `Final Answer: ${HELLO}`],
    ['no tool', `Thought: Do I need a tool? No.\nAction: None\nFinal Answer: ${HELLO}`],
  ])('speak the answer: %s', async (__, text) => {
    await each(text, { text: HELLO });
    for (const answer of await read(text, [])) expect(answer.text).toBe(HELLO);
  });

  it.each([
    [
      'in a code block',
      `${SECRET}\nAction:\n\`\`\`json\n{"action": "Final Answer", "action_input": "${HELLO}"}\n\`\`\``,
    ],
    ['alone', `{"action": "Final Answer", "action_input": "${HELLO}"}`],
    ['as code writes it', `Action: {"action": "final_answer", "action_input": "${HELLO}"}`],
  ])('speak the answer that is written as an action: %s', async (__, text) => {
    await each(text, { text: HELLO });
  });

  it('do not speak unfinished reasoning', async () => {
    await each(`${SECRET} I must hide it.`, {});
  });

  it.each([
    ['an unknown tool', `${SECRET}\nAction: fly\nAction Input: ${ARGS}`],
    ['an unknown tool without a thought', `Action: fly away\nAction Input: ${ARGS}\nObservation: x`],
    [
      'an unknown tool with a call as its input',
      `Action: fly\nAction Input: {"name":"look_up","arguments":${ARGS}}`,
    ],
    ['an unknown tool and a known word', `Action: fly or end_call\nAction Input: None`],
    ['an input without a name', `Action Input: ${ARGS}`],
    ['an input that is no object', 'Action: look_up\nAction Input: next Monday'],
    ['an input in brackets', 'Action: look_up[Monday]'],
    ['half an object', `Action: look_up\nAction Input: {"day":"Mon`],
    ['words behind the object', `Action: look_up\nAction Input: ${ARGS} and so on`],
  ])('neither call nor speak what cannot be run: %s', async (__, text) => {
    for (const { text: said, made } of await read(text)) expect([said, made]).toEqual(['', []]);
  });

  it.each([
    `I say it again. Thought: that is what matters.`,
    'Reasoning: none. Answer: none.',
    'Thinking: that is what we do.\nThe answer: nine.',
    'He said: action: now!\nactions follow.',
    `A motto:\nThought: that is what matters.\nBye.`,
    'Action: we will call you back.',
    'Action: Reaction. Actions: none. Action plan: call us.',
    'Action: call look_up later.',
    'Observation: it rains.\nThe Final Answer: nine.',
    'We said:\nObservation: it rains.',
    'Thoughts: none. Thoughtful: yes.',
    'Action',
    'Our Action Input is needed.',
    'Action: look_up is broken today.',
  ])('leave a text as it is: %s', async (text) => {
    await each(text, { text: text.replace(/\s+/g, ' ') });
  });
});
