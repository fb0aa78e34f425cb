import { describe, expect, it } from '@jest/globals';
import { CUTS, frame, readResponse } from './read-response.fake.js';

const HELLO = 'We open at nine.';
const ARGS = '{"day":"Monday"}';
const CALL = `{"name":"look_up","arguments":${ARGS}}`;
const MONDAY = ['look_up', { day: 'Monday' }];
const TOOLS = ['look_up', 'end_call'];

const named = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const quoted = (text: string): string => named(text).replaceAll('"', '&quot;').replaceAll("'", '&#39;');
const decimal = (text: string): string => text.replace(/[&<>"{}]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const hex = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => `&#x${sign.charCodeAt(0).toString(16).toUpperCase()};`);
const FORMS: [string, (text: string) => string][] = [
  ['named', named],
  ['with quotes', quoted],
  ['decimal', decimal],
  ['hexadecimal', hex],
  ['twice', (text) => quoted(quoted(text))],
  ['three times', (text) => named(named(named(text)))],
  ['twice, in two forms', (text) => named(decimal(text))],
];

describe.each(CUTS)('escaped markup that comes %s', (_, cut) => {
  const read = async (text: string, isSpoken: boolean, tools = TOOLS) => {
    const chunks = [...cut(text).map((content) => frame({ content })), frame({}, 'stop'), 'data: [DONE]\n\n'];
    const { text: spoken, calls, error } = await readResponse(chunks, tools, isSpoken);
    const made = calls.map((call) => [call.name, JSON.parse(call.arguments) as unknown]);
    return { text: spoken.replace(/\s+/g, ' ').trim(), made, failed: error !== null };
  };
  const expectBoth = async (text: string, expected: { text: string; made?: unknown[] }, tools = TOOLS) => {
    for (const isSpoken of [true, false])
      expect(await read(text, isSpoken, tools)).toEqual({ made: [], failed: false, ...expected });
  };

  describe.each(FORMS)('(%s)', (__, escape) => {
    it.each([
      ['Hermes', `<tool_call>${CALL}</tool_call>`],
      ['Qwen', `<tool_call><function=look_up><parameter=day>Monday</parameter></function></tool_call>`],
      ['Anthropic', `<invoke name="look_up"><parameter name="day">Monday</parameter></invoke>`],
      [
        'DeepSeek',
        `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>look_up<｜tool▁sep｜>${ARGS}<｜tool▁calls▁end｜>`,
      ],
      ['gpt-oss', `<|channel|>commentary to=functions.look_up <|constrain|>json<|message|>${ARGS}<|call|>`],
      ['a tag of the tool', `<look_up><day>Monday</day></look_up>`],
      ['JSON', CALL],
    ])('calls the tool, and speaks nothing of it: %s', async (___, text) => {
      await expectBoth(`Sure. ${escape(text)}`, { text: 'Sure.', made: [MONDAY] });
    });

    it('has no reasoning, with tools and without', async () => {
      for (const tools of [TOOLS, []]) {
        await expectBoth(escape(`<think>secret</think>${HELLO}`), { text: HELLO }, tools);
        await expectBoth(escape(`secret</think>${HELLO}`), { text: HELLO }, tools);
        await expectBoth(`<think>secret${escape('</think>')}${HELLO}`, { text: HELLO }, tools);
        await expectBoth(`${escape('<think>')}secret</think>${HELLO}`, { text: HELLO }, tools);
      }
    });

    it('is not spoken when its call cannot be read', async () => {
      for (const text of ['<tool_call>{"name":"fly"}</tool_call>', `<tool_call>${CALL.slice(0, 20)}`]) {
        const spoken = await read(`Sure. ${escape(text)}`, true);
        expect([spoken.text.replace('Sure.', ''), spoken.made]).toEqual(['', []]);
      }
    });
  });

  it.each([
    ['only the opening tag', `${named('<tool_call>')}${CALL}</tool_call> ${HELLO}`],
    ['only the closing tag', `<tool_call>${CALL}${named('</tool_call>')} ${HELLO}`],
    ['half of the signs', `&lt;tool_call>${CALL}&lt;/tool_call> ${HELLO}`],
    ['only the object', `<tool_call>${quoted(CALL)}</tool_call> ${HELLO}`],
    ['a label', `[tool_call: look_up(day=&quot;Monday&quot;)] ${HELLO}`],
    ['a code block', `\`\`\`json\n${quoted(CALL)}\n\`\`\` ${HELLO}`],
  ])('is read where it is mixed: %s', async (__, text) => {
    await expectBoth(text, { text: HELLO, made: [MONDAY] });
  });

  it.each([
    [
      'plain tags',
      (args: string) => `5 &lt; 6. <tool_call>${args}</tool_call>`,
      '&lt;b&gt; AT&amp;T &lt;/b&gt;',
    ],
    ['an object', (args: string) => `AT&amp;T. ${args}`, 'AT&amp;T &quot;'],
  ])('changes no arguments in %s', async (__, wrap, day) => {
    const { made } = await read(wrap(JSON.stringify({ name: 'look_up', arguments: { day } })), true);
    expect(made).toEqual([['look_up', { day }]]);
  });

  it.each([
    ['AT&amp;T and AT&amp;amp;T', 'AT&T and AT&T'],
    ['Q&A at R&B; M&M', 'Q&A at R&B; M&M'],
    ['It&#39;s &quot;nine&quot;&nbsp;&#x2014; 5 &lt; 6, 7&gt;6', `It's "nine" — 5 < 6, 7>6`],
    ['&copy; &#0; &#9999999; &', '&copy; &#0; &#9999999; &'],
    ['AT&amp;', 'AT&'],
    ['Nine &lt;3', 'Nine <3'],
  ])('decodes ordinary text: %s', async (text, expected) => {
    await expectBoth(text, { text: expected });
    await expectBoth(text, { text: expected }, []);
  });
});

describe('escaped text', () => {
  it.each(['&lt; ', '&', '&amp;', '&lt;a', '{&quot;', '&#123;', '&lt;/a&gt;', '<think>&lt;/'])(
    'is read in linear time: %s',
    async (text) => {
      const started = process.cpuUsage().user;
      await readResponse([frame({ content: text.repeat(2_000) }), frame({}, 'stop')], TOOLS);
      expect(process.cpuUsage().user - started).toBeLessThan(3_000_000);
    },
  );
});
