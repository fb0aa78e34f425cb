import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { Bench } from '../sandbox.fake.js';
import { SANDBOX_API_KEY } from '../defaults.js';
import type { ToolSpec } from './chat-request.js';
import { speakResults } from './tool-results.js';

const END_CALL: ToolSpec = tool('end_call', 'Ends the call once both sides said goodbye.', {});
const AVAILABILITY = tool('check_availability', 'Checks whether a slot for an appointment is free.', {
  day: { type: 'string', description: 'The day that the customer wants' },
  time: { type: 'string', description: 'The time of day' },
  party_size: { type: 'number', description: 'How many people come' },
  first_visit: { type: 'boolean', description: 'Whether it is the first visit' },
});
const WEATHER = tool('get_weather', 'Tells the weather forecast of a city.', {
  city: { type: 'string', description: 'The name of the city' },
});
const SEARCH = tool('search_knowledge', 'Searches the documents that you answer from.', {
  question: { type: 'string', description: 'What is to be found' },
});

function tool(name: string, description: string, properties: Record<string, object>): ToolSpec {
  const parameters = { type: 'object', properties, required: Object.keys(properties) };
  return { type: 'function', function: { name, description, parameters } };
}

describe('the scripted model', () => {
  let bench: Bench;
  let client: OpenAI;

  beforeAll(async () => {
    bench = await Bench.start();
    client = new OpenAI({ baseURL: `${bench.sandbox.url}/v1`, apiKey: SANDBOX_API_KEY, maxRetries: 0 });
  });
  afterAll(() => bench.stop());

  type Messages = OpenAI.Chat.ChatCompletionMessageParam[];
  type Options = Partial<OpenAI.Chat.ChatCompletionCreateParamsNonStreaming>;

  async function ask(said: string | Messages, options: Options = {}) {
    const messages: Messages = typeof said === 'string' ? [{ role: 'user', content: said }] : said;
    const answer = await client.chat.completions.create({ model: 'gpt-4o-mini', messages, ...options });
    return answer.choices[0]?.message ?? { content: null };
  }

  function calls(message: Awaited<ReturnType<typeof ask>>) {
    const made = 'tool_calls' in message ? (message.tool_calls ?? []) : [];
    return made.flatMap((call) =>
      call.type === 'function'
        ? [{ name: call.function.name, args: JSON.parse(call.function.arguments) as Record<string, unknown> }]
        : [],
    );
  }

  const tools = (...specs: ToolSpec[]) => ({ tools: specs as OpenAI.Chat.ChatCompletionTool[] });

  describe('in a conversation', () => {
    it('uses the tool whose description fits, and fills its parameters by name and type', async () => {
      const message = await ask(
        'Can you check if there is an appointment available for two on Thursday at 3 pm?',
        tools(WEATHER, END_CALL, AVAILABILITY),
      );
      expect(calls(message)).toEqual([
        {
          name: 'check_availability',
          args: { day: 'Thursday', time: '3 pm', party_size: 2, first_visit: false },
        },
      ]);
    });

    it('chooses another tool for another question', async () => {
      const message = await ask('What is the weather in Berlin?', tools(AVAILABILITY, WEATHER));
      expect(calls(message)).toEqual([{ name: 'get_weather', args: { city: 'Berlin' } }]);
    });

    it('searches the documents for a question that no other tool answers, and quotes what is found', async () => {
      const question = 'When do you close on Saturdays?';
      const message = await ask(question, tools(AVAILABILITY, SEARCH));
      expect(calls(message)).toEqual([{ name: 'search_knowledge', args: { question } }]);
      const weather = await ask('What is the weather in Berlin?', tools(SEARCH, WEATHER));
      expect(calls(weather)).toEqual([{ name: 'get_weather', args: { city: 'Berlin' } }]);
      expect(speakResults(['{"passages":[{"quotation":"At noon."}]}'])).toMatch(
        /^Here is what I found: At noon\. /,
      );
      expect(speakResults(['{"passages":[]}'])).toMatch(/^I am sorry, I do not know that\. /);
    });

    it.each([
      ['Hello, this is Alex. May I ask what this is about?', /calling about your request/],
      ['I would like to have an appointment on Thursday at 3 pm, please.', /noted Thursday at 3 pm/],
      ['Can you look up my order and check whether Thursday at 3 pm is free?', /noted Thursday at 3 pm/],
    ])('answers %j without a search of the documents', async (said, reply) => {
      const message = await ask(said, tools(SEARCH));
      expect(calls(message)).toEqual([]);
      expect(message.content).toMatch(reply);
    });

    it('reads facts from earlier turns, and the words themselves where it finds none', async () => {
      const lookup = tool('find_order', 'Looks up the status of an order.', {
        order_number: { type: 'string', description: 'Number of the order' },
        customer_name: { type: 'string', description: 'Who ordered' },
        email: { type: 'string', description: 'E-mail address' },
        wish: { type: 'string', description: 'What is wanted' },
      });
      const message = await ask(
        [
          { role: 'user', content: 'Hello, my name is Alex Morgan, and my address is alex@example.com.' },
          { role: 'assistant', content: 'What can I do for you?' },
          { role: 'user', content: 'Where is my order number 4711?' },
        ],
        tools(lookup),
      );
      expect(calls(message)[0]?.args).toEqual({
        order_number: '4711',
        customer_name: 'Alex Morgan',
        email: 'alex@example.com',
        wish: 'Where is my order number 4711?',
      });
    });

    it('uses no tool when no question fits one', async () => {
      for (const said of ['Hello, who is calling?', 'Uh-huh.', 'Yes, go ahead.']) {
        const message = await ask(said, tools(AVAILABILITY, WEATHER, END_CALL));
        expect(calls(message)).toEqual([]);
        expect(message.content).toMatch(/\w+/);
      }
    });

    it.each([
      ['{"available":true,"slot":"Thursday at 3 pm"}', /available is yes.*Thursday at 3 pm/],
      ['{"error":"timeout"}', /sorry/i],
      ['It is free.', /It is free/],
    ])('speaks about the tool result %s', async (content, spoken) => {
      const question = 'Is there an appointment on Thursday?';
      const call = {
        id: 'call_1',
        type: 'function' as const,
        function: { name: 'check_availability', arguments: '{}' },
      };
      const message = await ask(
        [
          { role: 'user', content: question },
          { role: 'assistant', content: null, tool_calls: [call] },
          { role: 'tool', tool_call_id: 'call_1', content },
        ],
        tools(AVAILABILITY),
      );
      expect(calls(message)).toEqual([]);
      expect(message.content).toMatch(spoken);
    });

    it('switches to a language that is requested and on offer', async () => {
      const offer = tool('switch_language', 'Switches voice and speech recognition.', {
        language: { type: 'string', enum: ['en-US', 'de-DE'] },
      });
      const message = await ask('Can we speak German, please?', tools(offer, AVAILABILITY));
      expect(calls(message)).toEqual([{ name: 'switch_language', args: { language: 'de-DE' } }]);
      expect(calls(await ask('Can we speak French, please?', tools(offer, AVAILABILITY)))).toEqual([]);
    });

    it('says goodbye and ends the call in one turn', async () => {
      const message = await ask('Thank you, that was all. Goodbye!', tools(AVAILABILITY, END_CALL));
      expect(message.content).toMatch(/goodbye/i);
      expect(calls(message)).toEqual([{ name: 'end_call', args: {} }]);
      expect(calls(await ask('Goodbye!'))).toEqual([]);
    });

    it('calls stop_calling for a person who wants no more calls, and apologises where it is not offered', async () => {
      const said = 'Please take me off your list and never call me again.';
      const stop = tool('stop_calling', 'The person must never be called again.', {});
      expect(calls(await ask(said, tools(stop, END_CALL)))).toEqual([{ name: 'stop_calling', args: {} }]);
      expect((await ask(said)).content).toMatch(/sorry/i);
    });
  });

  describe('judging a transcript', () => {
    const TRANSCRIPT = [
      'AI: Hello, this is the practice. How can I help you?',
      'Customer: Hello, this is Alex Morgan. I would like an appointment on Thursday at 3 pm, please.',
      'AI: That is noted.',
      'Customer: Thank you, goodbye!',
    ].join('\n');
    const nullable = (type: string, description = '') => ({ type: [type, 'null'], description });
    const SCHEMA = {
      type: 'object',
      additionalProperties: false,
      properties: {
        status: nullable('boolean', 'Whether the call reached its goal'),
        summary: nullable('string', 'One sentence'),
        customer_name: nullable('string', 'Name of the customer'),
        appointment_day: nullable('string', 'The day'),
        email: nullable('string', 'The e-mail address'),
        number_of_children: nullable('number', 'How many children there are'),
        ['__proto__']: nullable('string', 'A strange name'),
      },
    };

    const judge = async (transcript: string) => {
      const message = await ask(
        [
          { role: 'system', content: 'Judge the call.' },
          { role: 'user', content: transcript },
        ],
        { response_format: { type: 'json_schema', json_schema: { name: 'result', schema: SCHEMA } } },
      );
      return JSON.parse(message.content ?? '') as Record<string, unknown>;
    };

    it('fills mentioned values and leaves others null', async () => {
      const result = await judge(TRANSCRIPT);
      expect(result).toMatchObject({
        status: true,
        customer_name: 'Alex Morgan',
        appointment_day: 'Thursday at 3 pm',
        email: null,
        number_of_children: null,
      });
      expect(result['summary']).toMatch(/Alex Morgan.*appointment/);
      expect(Object.keys(result)).toContain('__proto__');
    });

    it.each([
      ['AI: Hello.\nCustomer: I am not interested, thank you.', false],
      ['AI: Hello.\nCustomer: Please never call me again.', false],
      ['AI: Hello.\nCustomer: You have reached the voicemail of Alex, please leave a message.', false],
      ['AI: Hello.', null],
    ])('reads %j as %s', async (transcript, status) => {
      expect((await judge(transcript))['status']).toBe(status);
    });

    it('does the same through a forced function and through a schema in the prompt', async () => {
      const message = await ask(TRANSCRIPT, {
        ...tools({ type: 'function', function: { name: 'record', parameters: SCHEMA } }),
        tool_choice: { type: 'function', function: { name: 'record' } },
      });
      expect(calls(message)[0]).toMatchObject({ name: 'record', args: { status: true, email: null } });
      const prompt = `Answer with JSON after this schema: ${JSON.stringify(SCHEMA)}\n${TRANSCRIPT}`;
      const { content } = await ask(prompt, { response_format: { type: 'json_object' } });
      expect(JSON.parse(content ?? '')).toMatchObject({ status: true, customer_name: 'Alex Morgan' });
    });

    it('returns a value of the right type where null is not allowed', async () => {
      const properties = { name: { type: 'string' }, count: { type: 'integer' }, done: { type: 'boolean' } };
      const { content } = await ask('AI: Hello?', {
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'result', schema: { type: 'object', properties } },
        },
      });
      expect(JSON.parse(content ?? '')).toEqual({ name: '', count: 0, done: false });
    });
  });

  describe('on the wire', () => {
    it('streams words and function arguments in pieces, with usage at the end on request', async () => {
      const stream = await client.chat.completions.create({
        model: 'gpt-4o',
        stream: true,
        stream_options: { include_usage: true },
        messages: [{ role: 'user', content: 'Goodbye! My order is 4711, cancel it.' }],
        tools: [
          tool('end_call', 'Ends the call.', { reason: { type: 'string' } }),
        ] as OpenAI.Chat.ChatCompletionTool[],
      });
      let content = '';
      let args = '';
      let names = 0;
      let finish: string | null = null;
      let usage = 0;
      for await (const { choices, usage: used } of stream) {
        usage += used?.total_tokens ?? 0;
        const [choice] = choices;
        content += choice?.delta.content ?? '';
        for (const call of choice?.delta.tool_calls ?? []) {
          if (call.function?.name === 'end_call') names++;
          args += call.function?.arguments ?? '';
        }
        finish = choice?.finish_reason ?? finish;
      }
      expect(content).toBe('Thank you for your time. Goodbye!');
      expect(names).toBe(1);
      expect(JSON.parse(args)).toEqual({ reason: 'Goodbye! My order is 4711, cancel it.' });
      expect(finish).toBe('tool_calls');
      expect(usage).toBeGreaterThan(10);
    });

    it('lists models', async () => {
      const models = await client.models.list();
      expect(models.data.map(({ id }) => id)).toContain('gpt-4o-mini');
    });

    it('refuses a wrong key and a malformed request in the shape that clients expect', async () => {
      const stranger = client.withOptions({ apiKey: 'wrong' });
      await expect(stranger.models.list()).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' });
      await expect(ask([])).rejects.toMatchObject({ status: 400, type: 'invalid_request_error' });
      await expect(client.get('/nothing')).rejects.toMatchObject({ status: 404, code: 'unknown_url' });
    });
  });
});
