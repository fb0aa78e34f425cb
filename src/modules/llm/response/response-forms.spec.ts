import { describe, expect, it } from '@jest/globals';
import { CUTS, frame, readResponse } from './read-response.fake.js';

const HELLO = 'We open at nine.';
const ARGS = '{"day":"Monday"}';
const MONDAY = ['look_up', { day: 'Monday' }];
const FRIDAY = ['book_table', { day: 'Friday', note: 'x' }];
const TOOLS = ['look_up', 'book_table', 'end_call'];

const END = [frame({}, 'stop'), 'data: [DONE]\n\n'];
const body = (pieces: readonly string[]): string[] => [
  ...pieces.map((content) => frame({ content })),
  ...END,
];

const read = async (chunks: readonly string[], isSpoken: boolean) => {
  const { text, calls, error } = await readResponse(chunks, TOOLS, isSpoken);
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
    ['a closing mark alone', `secret</think>${HELLO}`],
    ['a closing mark with blanks', `secret </ think >\n${HELLO}`],
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
    [
      "DeepSeek's answers of tools",
      `<｜tool▁outputs▁begin｜><｜tool▁output▁begin｜>{"free":1}<｜tool▁output▁end｜><｜tool▁outputs▁end｜>${HELLO}`,
    ],
    ["Mistral's answers of tools", `[TOOL_RESULTS]{"free":1}[/TOOL_RESULTS]${HELLO}`],
    ['answers of functions', `<function_results>{"free":1}</function_results>${HELLO}`],
    ['answers of tools in Qwen-Agent', `✿RESULT✿: {"free":1}\n✿RETURN✿${HELLO}`],
    ['a comment', `<!-- secret > secret -->${HELLO}`],
    [
      "Apriel's",
      `Here are my reasoning steps:\nsecret\n[BEGIN FINAL RESPONSE]\n${HELLO}\n[END FINAL RESPONSE]\n<|end|>`,
    ],
    [
      "gpt-oss's answer of a tool",
      `<|start|>functions.look_up to=assistant<|channel|>commentary<|message|>{"free":1}<|end|><|start|>assistant<|message|>${HELLO}`,
    ],
    ['a block of code', `\`\`\`thinking\nsecret\n\`\`\`\n${HELLO}`],
    ...['inner_thoughts', 'internal', 'reason', 'plan', 'thought_process', 'chain-of-thought'].map((name) => [
      `<${name}>`,
      `<${name}>secret</${name}>${HELLO}`,
    ]),
    [
      'a thought about a call',
      `<think>I could <tool_call>{"name":"look_up","arguments":${ARGS}}</tool_call></think>${HELLO}`,
    ],
  ])('has no reasoning: %s', async (__, text) => {
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
    ['the name alone in the tag', `<function>look_up</function>${ARGS}`, [MONDAY]],
    ['the name alone in the tag, with a line between', `<tool_call>look_up</tool_call>\n${ARGS}\n`, [MONDAY]],
    [
      'the name alone in the tag, with a tag for its arguments',
      `<function>look_up</function><arguments>${ARGS}</arguments>`,
      [MONDAY],
    ],
    [
      'two of them',
      `<function>look_up</function>${ARGS}<function>book_table</function>{"day":"Friday","note":"x"}`,
      [MONDAY, FRIDAY],
    ],
    ['no arguments', `<function>end_call</function>`, [['end_call', {}]]],
    ['a list in the tag', `<function=look_up[]${ARGS}</function>`, [MONDAY]],
    ['arguments in a list in the tag', `<function=look_up[${ARGS}]</function>`, [MONDAY]],
    ['a slash in the tag', `<function/look_up>${ARGS}</function>`, [MONDAY]],
    ['parentheses in the tag', `<function(look_up)>${ARGS}</function>`, [MONDAY]],
    ['short parameters', `<function name="look_up"><param name="day">Monday</param></function>`, [MONDAY]],
    [
      'Llama 3, two',
      `{"name":"look_up","parameters":${ARGS}}; {"name":"book_table","parameters":{"day":"Friday","note":"x"}}`,
      [MONDAY, FRIDAY],
    ],
    [
      "OpenAI's parallel calls",
      `{"tool_uses":[{"recipient_name":"functions.look_up","parameters":${ARGS}}]}`,
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
    ['Qwen 2.5 Coder', `<tools>\n{"name": "look_up", "arguments": ${ARGS}}\n</tools>`, [MONDAY]],
    [
      'Qwen-Agent, two',
      `✿FUNCTION✿: look_up\n✿ARGS✿: ${ARGS}\n✿FUNCTION✿: book_table\n✿ARGS✿: {"day":"Friday","note":"x"}\n✿RESULT✿: `,
      [MONDAY, FRIDAY],
    ],
    ['JSON of Gemini', `{"functionCall":{"name":"look_up","args":${ARGS}}}`, [MONDAY]],
    ['a tag of the tool', `<look_up>\n<day>Monday</day>\n</look_up>`, [MONDAY]],
    ['a tag that closes itself', `<invoke name="end_call"/>`, [['end_call', {}]]],
    ['a tag of the tool that closes itself', `<end_call />`, [['end_call', {}]]],
    [
      'a tag around name and arguments',
      `<use_mcp_tool>\n<server_name>x</server_name>\n<tool_name>look_up</tool_name>\n<arguments>\n${ARGS}\n</arguments>\n</use_mcp_tool>`,
      [MONDAY],
    ],
    ['a tag with its name', `<tool name="look_up">${ARGS}</tool>`, [MONDAY]],
    ['a tag around its name', `<tool>look_up</tool><args>${ARGS}</args>`, [MONDAY]],
    ['a label in brackets', `[tool_call: look_up(day="Monday")]`, [MONDAY]],
    ['a label and JSON', `[tool_call: {"name":"look_up","arguments":${ARGS}}]`, [MONDAY]],
    ['a label and an object', `[Tool call: look_up(${ARGS})]`, [MONDAY]],
    ['a label, and arguments behind it', `[Tool: look_up]\n${ARGS}`, [MONDAY]],
    ['a label and no arguments', `[tool_call: look_up]`, [['look_up', {}]]],
    [
      'a label, two',
      `[TOOL_CALLS: look_up(day="Monday"), book_table(day="Friday", note="x")]`,
      [MONDAY, FRIDAY],
    ],
    [
      'a label, brackets in the arguments',
      `(function call: look_up(day="[VIP] Monday)"))`,
      [['look_up', { day: '[VIP] Monday)' }]],
    ],
    ['a vague label', `[calling: look_up(day="Monday")]`, [MONDAY]],
    ['a Python dictionary', `{'name': 'look_up', 'arguments': {'day': 'Monday'}}`, [MONDAY]],
    [
      'a Python dictionary in a tag',
      `<tool_call>{'name': "look_up", 'arguments': {'day': 'Monday', 'why': 'Ada\\'s "key"', 'now': True}}</tool_call>`,
      [['look_up', { day: 'Monday', why: 'Ada\'s "key"', now: true }]],
    ],
    ['Llama, and code', `<|python_tag|>look_up.call(day="Monday")<|eom_id|>`, [MONDAY]],
    ['wide brackets with a label', `【tool_call: look_up(day="Monday")】`, [MONDAY]],
    ['a label without brackets', `tool_call: look_up(day="Monday")`, [MONDAY]],
    ['a label without brackets, and JSON', `Function call: {"name":"look_up","arguments":${ARGS}}`, [MONDAY]],
    ['a label in bold', `**Tool call:** look_up(day="Monday")`, [MONDAY]],
    ['brackets as a tag', `[tool_call]{"name":"look_up","arguments":${ARGS}}[/tool_call]`, [MONDAY]],
    ['brackets as a tag, and code', `[tool_call] look_up(day="Monday") [/tool_call]`, [MONDAY]],
    ['brackets as a tag with the name', `[tool_call name="look_up"]${ARGS}[/tool_call]`, [MONDAY]],
    ['brackets as a tag without an end', `[Tool Call]\nlook_up ${ARGS}`, [MONDAY]],
    ['Mistral, and code', `[TOOL_CALLS] look_up(day="Monday")`, [MONDAY]],
    ['wide brackets', `【tool_call】{"name":"look_up","arguments":${ARGS}}【/tool_call】`, [MONDAY]],
    ['wide brackets, a list', `【tool_calls】[{"name":"look_up","arguments":${ARGS}}]`, [MONDAY]],
    ['corner brackets', `「function_call」look_up(day="Monday")「/function_call」`, [MONDAY]],
  ])('calls the tool, and speaks nothing of it: %s', async (__, text, calls) => {
    for (const answer of await readBoth(text))
      expect(answer).toEqual({ text: '', made: calls, failed: false });
  });

  it.each<[string, string, string, unknown[]]>([
    [
      'lines in a text of Python',
      `[book_table(day='Friday', note='a\\n\\'b\\'')]`,
      'book_table',
      [{ day: 'Friday', note: "a\n'b'" }],
    ],
    [
      'tags of the template',
      `<function=book_table>{"day":"Friday","note":"<|im_end|></tool_call>"}</function>`,
      'book_table',
      [{ day: 'Friday', note: '<|im_end|></tool_call>' }],
    ],
    [
      'the end of a thought',
      `<|tool_calls_section_begin|><|tool_call_begin|>functions.book_table:0<|tool_call_argument_begin|>{"day":"</think>","note":"x"}<|tool_call_end|><|tool_calls_section_end|>`,
      'book_table',
      [{ day: '</think>', note: 'x' }],
    ],
    [
      'tags, behind a thought',
      `<think>secret</think><tool_call>{"name":"look_up","arguments":{"day":"[/tool_calls] &lt;/b&gt;"}}</tool_call>`,
      'look_up',
      [{ day: '[/tool_calls] &lt;/b&gt;' }],
    ],
  ])('does not change arguments: %s', async (__, text, name, [args]) => {
    for (const answer of await readBoth(text))
      expect(answer).toEqual({ text: '', made: [[name, args]], failed: false });
  });

  it.each([
    ['Apertus', `<|tools_prefix|>[{"fly": ${ARGS}}]<|tools_suffix|>`],
    ['code with a value that cannot be read', `[book_table(day="Friday", note=some_variable)]`],
    ['escaped quotes', String.raw`{\"name\":\"look_up\",\"arguments\":{\"day\":\"Monday\"}}`],
    ['a label and an unknown name', `[tool_call: fly(day="Monday")]`],
    ['a label, and a code block behind it', `[Tool: look_up]\n\`\`\`json\n${ARGS}\n\`\`\``],
    ['a label and half a call', `[tool_call: look_up(day="Mon`],
    ['Mistral and an unknown name', `[TOOL_CALLS] fly(day="Monday")`],
    ['wide brackets and an unknown name', `【tool_call】fly(day="Monday")【/tool_call】`],
    ['half a tag of brackets', `[tool_ca`],
    ['half a tag of wide brackets', `【tool_call`],
    ['a tag with something else in it', `<look_up>\n<day>Monday</day> and <b>\n</look_up>`],
  ])('is not spoken when its call cannot be read: %s', async (__, text) => {
    const spoken = await read(body(cut(text)), true);
    expect([spoken.text, spoken.made]).toEqual(['', []]);
  });

  it.each(['{"nam', '{ "', '[{"name":', "{'tool"])(
    'asks again for JSON that ends in its first key: %s',
    async (text) => {
      const written = await read(body(cut(text)), false);
      expect([written.text, written.made, written.failed]).toEqual(['', [], true]);
    },
  );

  it.each([
    ['before', `${HELLO} [tool_call: look_up(day="Monday")]`],
    ['after', `【tool_call: look_up(day="Monday")】 ${HELLO}`],
    ['around', `We open [tool_call: look_up(day="Monday")] at nine.`],
  ])('speaks the text %s a call with a label', async (__, text) => {
    for (const answer of await readBoth(text))
      expect(answer).toEqual({ text: HELLO, made: [MONDAY], failed: false });
  });

  it.each([
    'Analysis shows that < 5 and > 3 are fine.',
    'The commentary to= is odd, > and >> too.',
    'You may call: look up the menu.',
    'Dial [call: 555 0100] (tool: a hammer), please.',
    'The tool call: it failed. Function calls: none.',
    '【We open】 at 「nine」 (or ten), [call us].',
    'A tool, a function. To call (to',
  ])('keeps text that is not a tag: %s', async (text) => {
    for (const answer of await readBoth(text)) expect(answer).toEqual({ text, made: [], failed: false });
  });
});
