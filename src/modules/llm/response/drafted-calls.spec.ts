import { describe, expect, it } from '@jest/globals';
import { CUTS, frame, readResponse } from './read-response.fake.js';

const HELLO = 'We open at nine.';
const ARGS = '{"day":"Monday"}';
const MONDAY = ['look_up', { day: 'Monday' }];
const FRIDAY = '{"name":"look_up","arguments":{"day":"Friday"}}';

describe.each(CUTS)('a response that comes %s', (_, cut) => {
  const read = async (text: string, isSpoken: boolean) => {
    const chunks = [...cut(text).map((content) => frame({ content })), frame({}, 'stop'), 'data: [DONE]\n\n'];
    const { text: spoken, calls, error } = await readResponse(chunks, ['look_up'], isSpoken);
    const made = calls.map((call) => [call.name, JSON.parse(call.arguments) as unknown]);
    return { text: spoken.replace(/\s+/g, ' ').trim(), made, failed: error !== null };
  };
  const expectBoth = async (text: string, expected: { text: string; made: unknown[] }) => {
    for (const isSpoken of [true, false])
      expect(await read(text, isSpoken)).toEqual({ ...expected, failed: false });
  };

  it.each([
    ['as JSON', `I could call ${FRIDAY} but no.`],
    ['in tags', `Maybe <tool_call>${FRIDAY}</tool_call> hmm, no.`],
    ['as code', 'I could use look_up(day="Friday") or not.'],
    ['in a code block', `Perhaps\n\`\`\`json\n${FRIDAY}\n\`\`\`\nor not.`],
    ['that cannot be read', 'Perhaps <tool_call>{"name":"look_up","arguments":{</tool_call> or not.'],
    ['of which only the tag is named', 'I must use <tool_call> tags only if a tool is needed.'],
    ['of which only the function is named', 'I may write <function=look_up> if it is needed.'],
    ['of which the end is missing', `I could write <tool_call>${FRIDAY} but no.`],
  ])('does not run a call within reasoning, %s', async (__, reasoning) => {
    for (const end of ['</think>', '&lt;/think&gt;', '<｜end▁of▁thinking｜>']) {
      await expectBoth(`${reasoning}\n${end}\n${HELLO}`, { text: HELLO, made: [] });
      const call = `<tool_call>{"name":"look_up","arguments":${ARGS}}</tool_call>`;
      await expectBoth(`${reasoning}\n${end}\n${call}`, { text: '', made: [MONDAY] });
    }
  });

  it.each([
    `<function=look_up${ARGS}></function>`,
    `<function=look_up${ARGS}</function>`,
    `<function=look_up(${ARGS})></function>`,
    `<function=look_up,${ARGS}</function>`,
    `<function=look_up ${ARGS}>`,
    `look_up[ARGS]${ARGS}`,
  ])('runs the call %s with its arguments', async (call) => {
    await expectBoth(call, { text: '', made: [MONDAY] });
    await expectBoth(`One moment.\n${call}`, { text: 'One moment.', made: [MONDAY] });
  });

  it('keeps a closing tag within the arguments of a call', async () => {
    const call = '<tool_call>{"name":"look_up","arguments":{"day":"a </think> tag"}}</tool_call>';
    await expectBoth(call, { text: '', made: [['look_up', { day: 'a </think> tag' }]] });
  });
});
