import { describe, expect, it } from '@jest/globals';
import { readResponse } from './read-response.fake.js';

const HELLO = 'We open at nine.';
const ANSWER = ['We open ', 'at nine.'];
const call = { index: 0, id: 'a', function: { name: 'look_up', arguments: '{"day":"Monday"}' } };

const frame = (fields: object): string => `data: ${JSON.stringify(fields)}\n\n`;
const ofDelta = (delta: object, beside: object = {}): string =>
  frame({ choices: [{ index: 0, delta, finish_reason: null }], ...beside });
const END = [frame({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }), 'data: [DONE]\n\n'];
const read = async (chunks: readonly string[], isSpoken = true) => {
  const { text, calls, error } = await readResponse([...chunks, ...END], ['look_up'], isSpoken);
  return { text, made: calls.map(({ name }) => name), error };
};
const expectAnswer = async (frames: readonly string[]) => {
  for (const isSpoken of [true, false])
    expect(await read(frames, isSpoken)).toEqual({ text: HELLO, made: [], error: null });
};

const MARKS: [string, object][] = [
  ['thought: true', { thought: true }],
  ['thought: "true"', { thought: 'true' }],
  ['is_thought', { is_thought: true }],
  ['isThought', { isThought: true }],
  ['reasoning: true', { reasoning: true }],
  ["Gemini's flag", { extra_content: { google: { thought: true } } }],
  ['a channel', { channel: 'analysis' }],
  ['a channel in capitals', { channel: 'Analysis' }],
  ['a type', { type: 'thinking' }],
  ['a type of a delta', { type: 'reasoning_delta' }],
  ['a kind', { kind: 'thought' }],
  ['the role of a tool', { role: 'tool' }],
  ['the role of the user', { role: 'user' }],
  ['an unknown role', { role: 'critic' }],
];

describe('a frame that is no answer is not spoken', () => {
  it.each(MARKS)('%s', async (_, mark) => {
    const thoughts = ['The customer ', 'is impatient.'];
    for (const answer of [
      {},
      { role: 'assistant' },
      { channel: 'final' },
      { thought: false },
      { type: 'text' },
    ])
      await expectAnswer([
        ...thoughts.map((content) => ofDelta({ ...mark, content })),
        ...ANSWER.map((content) => ofDelta({ ...answer, content })),
      ]);
    await expectAnswer([
      ofDelta({ content: 'We open ' }),
      ofDelta({ ...mark, content: 'secret' }),
      ofDelta({ content: 'at nine.' }),
    ]);
    await expectAnswer([
      ofDelta({ content: [{ type: 'text', text: HELLO }] }),
      ofDelta({ ...mark, content: [{ type: 'text', text: 'secret' }] }),
    ]);
  });

  it.each(MARKS.filter(([, mark]) => !('role' in mark)))('as a part of the content: %s', async (_, mark) => {
    await expectAnswer([
      ofDelta({
        content: [
          { text: 'secret', ...mark },
          { type: 'text', text: HELLO },
        ],
      }),
    ]);
  });

  it.each([{ thought: true }, { channel: 'analysis' }, { type: 'thinking' }, { role: 'tool' }])(
    'by a field of its frame or its choice: %j',
    async (mark) => {
      await expectAnswer([ofDelta({ content: 'secret' }, mark), ofDelta({ content: HELLO })]);
      await expectAnswer([
        frame({ choices: [{ index: 0, ...mark, delta: { content: 'secret' } }] }),
        ofDelta({ content: HELLO }),
      ]);
    },
  );

  it.each([{ role: 'tool' }, { role: 'assistant', channel: 'analysis' }, { channel: 'analysis' }])(
    'by the head of its message: %j',
    async (head) => {
      for (const content of ['', null])
        await expectAnswer([
          ofDelta({ ...head, content }),
          ofDelta({ content: 'The customer ' }),
          ofDelta({ content: 'is impatient.' }),
          ofDelta({ role: 'assistant', content: '' }),
          ofDelta({ content: HELLO }),
        ]);
    },
  );

  it('and a whole message with such a field', async () => {
    await expectAnswer([
      frame({ choices: [{ index: 0, message: { role: 'tool', content: 'secret' } }] }),
      ofDelta({ content: HELLO }),
    ]);
  });
});

describe('a frame of the answer', () => {
  it.each([
    { role: 'assistant' },
    { role: 'model' },
    { role: '' },
    { role: null },
    { role: 5 },
    { type: 'message' },
    { channel: 'final' },
    { channel: 'commentary' },
    { thought: false },
    { thinking: 'secret' },
    { reasoning: 'secret', type: 'text' },
  ])('is spoken with %j', async (fields) => {
    await expectAnswer(ANSWER.map((content) => ofDelta({ ...fields, content })));
    await expectAnswer([ofDelta({ ...fields }), ...ANSWER.map((content) => ofDelta({ content }))]);
  });

  it('is spoken after a thought without words', async () => {
    for (const mark of [{ thought: true }, { type: 'thinking', thinking: 'secret' }, { role: 'critic' }])
      await expectAnswer([ofDelta({ ...mark, content: '' }), ofDelta({ content: HELLO })]);
  });

  it('keeps a call that stands beside a thought, and none of another role', async () => {
    expect((await read([ofDelta({ thought: true, content: 'secret', tool_calls: [call] })])).made).toEqual([
      'look_up',
    ]);
    expect((await read([ofDelta({ role: 'user', tool_calls: [call] })])).made).toEqual([]);
  });
});
