import { describe, expect, it } from '@jest/globals';
import { readAnswer } from './read-answer.fake.js';

const HELLO = 'We open at nine.';
const ARGS = '{"day":"Monday"}';
const MONDAY = ['look_up', { day: 'Monday' }];
const FRIDAY = ['book_table', { day: 'Friday', note: 'x' }];
const TOOLS = ['look_up', 'book_table'];

const frame = (delta: object, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const END = [frame({}, 'stop'), 'data: [DONE]\n\n'];
const body = (pieces: readonly string[]): string[] => [
  ...pieces.map((content) => frame({ content })),
  ...END,
];
const CUTS: [string, (text: string) => string[]][] = [
  ['whole', (text) => [text]],
  ['in words', (text) => text.match(/\S+\s*/g) ?? []],
  ['in characters', (text) => [...text]],
];

const read = async (chunks: readonly string[], isSpoken: boolean) => {
  const { text, calls, error } = await readAnswer(chunks, TOOLS, isSpoken);
  const made = calls.map((call) => [call.name, JSON.parse(call.arguments) as unknown]);
  return { text: text.replace(/\s+/g, ' ').trim(), made, failed: error !== null };
};

describe.each(CUTS)('an answer that comes %s', (_, cut) => {
  const readBoth = async (text: string) => [
    await read(body(cut(text)), true),
    await read(body(cut(text)), false),
  ];

  it.each([
    ['thoughts in thoughts', `<think>a<think>b</think>c</think>${HELLO}`],
    ['a mark that is only spoken of', `<think>I write no <think> here.</think>${HELLO}`],
    [
      'a second mark in the marks of Seed',
      `<seed:think>a<seed:cot_budget_reflect>b</seed:cot_budget_reflect>c</seed:think>${HELLO}`,
    ],
    ['MedGemma', `<unused94>thought\nsecret<unused95>${HELLO}`],
    ['Gemma 4', `<|channel>thought\nsecret<channel|>${HELLO}<turn|>`],
    ['Gemma 4 without a thought', `<|turn>model\n<|channel>thought\n<channel|>${HELLO}`],
    ['gpt-oss without its marks', `analysisThe customer asks.assistantfinal${HELLO}`],
    [
      'gpt-oss with a form',
      `<|channel|>analysis<|message|>secret<|end|><|start|>assistant<|channel|>final <|constrain|>text<|message|>${HELLO}<|return|>`,
    ],
    [
      'a folded block',
      `<details type="reasoning" done="true">\n<summary>Thought for 3 s</summary>\n> secret\n</details>\n${HELLO}`,
    ],
    ['a comment', `<!-- secret > secret -->${HELLO}`],
    ['a block of code', `\`\`\`thinking\nsecret\n\`\`\`\n${HELLO}`],
    ...['inner_thoughts', 'internal', 'reason', 'plan', 'thought_process', 'chain-of-thought'].map((name) => [
      `<${name}>`,
      `<${name}>secret</${name}>${HELLO}`,
    ]),
    [
      'a thought about a call',
      `<think>I could <tool_call>{"name":"look_up","arguments":${ARGS}}</tool_call></think>${HELLO}`,
    ],
  ])('has no thought: %s', async (__, text) => {
    for (const answer of await readBoth(text))
      expect(answer).toEqual({ text: HELLO, made: [], failed: false });
  });

  it.each<[string, string, unknown[]]>([
    ['Llama 3.1', `<function=look_up>${ARGS}</function>`, [MONDAY]],
    [
      'Qwen without the outer tag',
      `<function=look_up>\n<parameter=day>\nMonday\n</parameter>\n</function>\n</tool_call>`,
      [MONDAY],
    ],
    ['Phi 4', `functools[{"name":"look_up","arguments":${ARGS}}]`, [MONDAY]],
    ['Functionary', `>>>look_up\n${ARGS}`, [MONDAY]],
    ['GLM 4', `look_up\n${ARGS}`, [MONDAY]],
    ['a name and a colon', `look_up: ${ARGS}`, [MONDAY]],
    [
      'gpt-oss without its marks',
      `analysisI look it up.assistantcommentary to=functions.look_up json${ARGS}`,
      [MONDAY],
    ],
    ['gpt-oss without a thought', `commentary to=functions.look_up json${ARGS}`, [MONDAY]],
    ['code', `[look_up(day="Monday"), book_table(day="Friday", note="x")]`, [MONDAY, FRIDAY]],
    [
      'DeepSeek 3.2',
      `<｜DSML｜function_calls>\n<｜DSML｜invoke name="book_table">\n<｜DSML｜parameter name="day" string="true">5</｜DSML｜parameter>\n<｜DSML｜parameter name="count" string="false">2</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>`,
      [['book_table', { day: '5', count: 2 }]],
    ],
    [
      'Step 3',
      `<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="look_up"><steptml:parameter name="day">Monday</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>`,
      [MONDAY],
    ],
    [
      'Kimi K2, two',
      `<|tool_calls_section_begin|><|tool_call_begin|>functions.look_up:0<|tool_call_argument_begin|>${ARGS}<|tool_call_end|><|tool_call_begin|>functions.book_table:1<|tool_call_argument_begin|>{"day":"Friday","note":"x"}<|tool_call_end|><|tool_calls_section_end|>`,
      [MONDAY, FRIDAY],
    ],
    ['Mistral with an id', `[TOOL_CALLS]look_up[CALL_ID]abc123def[ARGS]${ARGS}`, [MONDAY]],
    [
      'Mistral, two',
      `[TOOL_CALLS]look_up[ARGS]${ARGS}[TOOL_CALLS]book_table[ARGS]{"day":"Friday","note":"x"}`,
      [MONDAY, FRIDAY],
    ],
    [
      'Mistral, a mark in the arguments',
      `[TOOL_CALLS]look_up{"day":"[VIP] Monday"}`,
      [['look_up', { day: '[VIP] Monday' }]],
    ],
    [
      'LongCat',
      `<longcat_tool_call>look_up\n<longcat_arg_key>day</longcat_arg_key>\n<longcat_arg_value>Monday</longcat_arg_value>\n</longcat_tool_call>`,
      [MONDAY],
    ],
    [
      'Gemma 4',
      `<|tool_call>call:book_table{day:<|"|>Friday<|"|>,note:<|"|>a {b}, c: "d"<|"|>,count:2}<tool_call|><|tool_response>`,
      [['book_table', { day: 'Friday', note: 'a {b}, c: "d"', count: 2 }]],
    ],
    [
      'FunctionGemma',
      `<start_function_call>call:look_up{day:<escape>Monday<escape>}<end_function_call>`,
      [MONDAY],
    ],
    ['a tag of the tool', `<look_up>\n<day>Monday</day>\n</look_up>`, [MONDAY]],
    ['a tag with its name', `<tool name="look_up">${ARGS}</tool>`, [MONDAY]],
    ['a tag around its name', `<tool>look_up</tool><args>${ARGS}</args>`, [MONDAY]],
  ])('calls, and says nothing of it: %s', async (__, text, calls) => {
    for (const answer of await readBoth(text))
      expect(answer).toEqual({ text: '', made: calls, failed: false });
  });

  it.each([
    ['Apertus', `<|tools_prefix|>[{"fly": ${ARGS}}]<|tools_suffix|>`],
    ['code with a value that cannot be read', `[book_table(day="Friday", note=some_variable)]`],
    ['keys without quotes', `{name: "look_up", arguments: {day: "Monday"}}`],
    ['single quotes', `{'name': 'look_up', 'arguments': {'day': 'Monday'}}`],
    ['escaped quotes', String.raw`{\"name\":\"look_up\",\"arguments\":{\"day\":\"Monday\"}}`],
    ['a tag with something else in it', `<look_up>\n<day>Monday</day> and <b>\n</look_up>`],
  ])('is not read out where a call cannot be read: %s', async (__, text) => {
    const spoken = await read(body(cut(text)), true);
    expect([spoken.text, spoken.made]).toEqual(['', []]);
  });

  it.each([
    'Analysis shows that < 5 and > 3 are fine.',
    'The commentary to= is odd, > and >> too.',
    'You may call: look up the menu.',
  ])('keeps what is no mark: %s', async (text) => {
    for (const answer of await readBoth(text)) expect(answer).toEqual({ text, made: [], failed: false });
  });
});
