import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Bench } from '../sandbox.fake.js';
import { SANDBOX_API_KEY } from '../defaults.js';
import { endCall, sayTo, type FakeService } from '../service.fake.js';

const GREETING =
  'Hello, this is the assistant of the practice. I am calling about the examination that is due for you this year.';

describe('callees', () => {
  let bench: Bench;

  beforeEach(async () => {
    bench = await Bench.start();
  });
  afterEach(() => bench.stop());

  const prompts = () =>
    bench.service.frames.filter(({ type }) => type === 'prompt').map((frame) => String(frame['voicePrompt']));

  /** Places a call. @param reply the assistant's constant reply, or its reaction to each frame */
  async function call(
    digits: string,
    reply: string | null | FakeService['talk'],
    attributes: Record<string, string> = {},
    request: Record<string, string> = {},
  ) {
    const { service } = bench;
    service.answer = (path) => {
      if (path.startsWith('/answer'))
        return service.relayDocument({ welcomeGreeting: GREETING, ...attributes });
      return path.startsWith('/action') ? '<Response/>' : 204;
    };
    const says: FakeService['talk'] = (frame, socket) => {
      if (frame.type === 'prompt' && typeof reply === 'string') sayTo(socket, reply);
    };
    service.talk = typeof reply === 'function' ? reply : says;
    await bench.call(digits, request);
  }

  it('0020 talks politely and hangs up after the goodbye', async () => {
    await call('0020', 'I see. What else may I note for you? Goodbye for now!');
    expect(await bench.ending()).toMatchObject({ CallStatus: 'completed' });
    expect(prompts()).toEqual([
      'Hello, this is Alex Morgan speaking. May I ask what this is about?',
      'Thank you, goodbye!',
    ]);
  });

  it('0020 ends the call by itself, whatever an assistant talks about', async () => {
    await call('0020', 'That is very interesting, and there is a lot more to say about it.');
    await bench.service.frame((frame) => String(frame['voicePrompt']).endsWith('Goodbye!'));
    expect(prompts()).toEqual([
      expect.stringContaining('what this is about'),
      expect.stringContaining('appointment on Thursday at 3 pm'),
      expect.stringContaining('Goodbye!'),
    ]);
  });

  it('0021 interrupts in mid-sentence, and the carrier reports the heard part', async () => {
    await call('0021', null);
    const interrupt = await bench.service.frame(({ type }) => type === 'interrupt');
    const heard = String(interrupt['utteranceUntilInterrupt']);
    expect(heard.length).toBeGreaterThan(0);
    expect(heard.length).toBeLessThan(GREETING.length);
    expect(GREETING.startsWith(heard)).toBe(true);
    expect(interrupt['durationUntilInterruptMs']).toBeGreaterThan(0);
    await bench.service.frame(({ type }) => type === 'prompt');
    expect(prompts()).toEqual(['Sorry to interrupt, but who is calling?']);
  });

  it('0021 is not heard while the assistant may not be interrupted', async () => {
    await call('0021', null, { welcomeGreetingInterruptible: 'none', events: 'speaker-events' });
    await bench.service.frame((frame) => frame['name'] === 'clientSpeaking' && frame['value'] === 'off');
    expect(bench.service.frames.some(({ type }) => type === 'interrupt')).toBe(false);
    expect(prompts()).toEqual([]);
  });

  it('0021 is reported without stopping the assistant where that is requested', async () => {
    await call('0021', null, {
      welcomeGreetingInterruptible: 'none',
      reportInputDuringAgentSpeech: 'speech',
    });
    await bench.service.frame(({ type }) => type === 'prompt');
    expect(bench.service.frames.some(({ type }) => type === 'interrupt')).toBe(false);
  });

  it('0022 is silent', async () => {
    await call('0022', null, {}, { TimeLimit: '2' });
    expect(await bench.ending()).toMatchObject({ CallStatus: 'completed' });
    expect(prompts()).toEqual([]);
  });

  it('0023 hangs up after the greeting, without a word', async () => {
    await call('0023', null);
    const action = await bench.service.webhook(({ path }) => path.startsWith('/action'));
    expect(action.params).toMatchObject({ SessionStatus: 'completed', CallStatus: 'completed' });
    expect(prompts()).toEqual([]);
  });

  it('0024 requests no further calls', async () => {
    await call('0024', null);
    const prompt = await bench.service.frame(({ type }) => type === 'prompt');
    expect(prompt['voicePrompt']).toMatch(/never call me again/);
  });

  it('0025 does not treat a filler as an answer', async () => {
    const { service } = bench;
    let answered = false;
    let waited = false;
    await call('0025', (frame, socket) => {
      if (frame.type !== 'prompt') return;
      if (prompts().length > 1) {
        waited = answered;
        return;
      }
      sayTo(socket, 'One moment, please.');
      setTimeout(() => {
        answered = true;
        sayTo(socket, 'Yes, Thursday at 3 pm is free, and your order is on its way.');
      }, 300);
    });
    await service.until(() => (prompts().length === 2 ? true : undefined));
    expect(waited).toBe(true);
    expect(prompts()[0]).toMatch(/order 4711.*appointment is available on Thursday at 3 pm\?/);
    expect(prompts()[1]).toMatch(/Goodbye!/);
  });

  it('0026 presses keys', async () => {
    await call('0026', null, { dtmfDetection: 'true' });
    await bench.service.frame((frame) => frame['digit'] === '#');
    const digits = bench.service.frames.filter(({ type }) => type === 'dtmf').map((frame) => frame['digit']);
    expect(digits).toEqual(['1', '2', '3', '#']);
  });

  it('0036 reads a menu, repeats a level after a wrong key, and leads to a person', async () => {
    const { service } = bench;
    const answers = ['1', '2', '3', '0'];
    await call('0036', (frame, socket) => {
      if (frame.type !== 'prompt' || !/(press [230])\.$/.test(String(frame['voicePrompt']))) return;
      socket.send(JSON.stringify({ type: 'sendDigits', digits: `w${answers.shift() ?? ''}` }));
    });
    await service.until(() => (prompts().some((text) => text.startsWith('Hello,')) ? true : undefined));
    expect(prompts().slice(0, 6)).toEqual([
      'Thank you for calling the Morgan practice.',
      'For prescriptions, press 1.',
      'For appointments and all other requests, press 2.',
      'I am sorry, that is not one of the choices.',
      'For prescriptions, press 1.',
      'For appointments and all other requests, press 2.',
    ]);
    expect(prompts()).toContain('Please hold the line.');
  });

  it("0036 ignores a key during the assistant's speech", async () => {
    const { service } = bench;
    await call('0036', (frame, socket) => {
      if (frame.type !== 'prompt' || frame['voicePrompt'] !== 'For prescriptions, press 1.') return;
      sayTo(socket, GREETING, { interruptible: 'none' });
      socket.send(JSON.stringify({ type: 'sendDigits', digits: '2' }));
      socket.send(JSON.stringify({ type: 'sendDigits', digits: '2x' }));
    });
    const error = await service.frame(({ type }) => type === 'error');
    expect(error['description']).toMatch(/^64107/);
    await service.until(() =>
      prompts().includes('We have not received your choice. Goodbye.') ? true : undefined,
    );
    const refused = (await bench.journal()).filter(({ kind }) => kind === 'refusal').map(({ why }) => why);
    expect(refused).toContain('The key 2 was sent over speech.');
  });

  it('0037 pauses in a sentence', async () => {
    const { service } = bench;
    await call('0037', (frame, socket) => {
      if (frame['voicePrompt'] === 'or on Friday at three?') sayTo(socket, 'On Friday at three it is free.');
    });
    await service.until(() => (prompts().includes('Thank you, goodbye!') ? true : undefined));
    expect(prompts()).toEqual([
      'Is there an appointment free on',
      'Thursday afternoon',
      'or on Friday at three?',
      'Thank you, goodbye!',
    ]);
  });

  it('0038 asks for what a tool knows, then for what a document may have', async () => {
    await call('0038', 'Yes, that is so.');
    await bench.service.frame((frame) => String(frame['voicePrompt']).endsWith('Goodbye!'));
    expect(prompts()).toEqual([
      expect.stringContaining('an appointment is available on Thursday at 3 pm?'),
      'One more question: where can I park my car?',
      expect.stringContaining('Goodbye!'),
    ]);
  });

  it('0050 screens calls: a reason connects the person, and no reason does not', async () => {
    await call('0050', 'This is Ada, and I am calling about your bicycle.', { welcomeGreeting: '' });
    await bench.service.until(() => (prompts().some((text) => text.startsWith('Hello,')) ? true : undefined));
    expect(prompts().slice(0, 3)).toEqual([
      "Hi, if you record your name and reason for calling, I'll see if this person is available.",
      'Thanks. Please stay on the line.',
      'Hello, this is Alex Morgan speaking. May I ask what this is about?',
    ]);
    bench.service.frames.length = 0;
    await call('0050', 'Hello, how are you doing today?', { welcomeGreeting: '' });
    await bench.service.until(() =>
      prompts().some((text) => /not available/.test(text)) ? true : undefined,
    );
    expect(prompts()).not.toContain('Thanks. Please stay on the line.');
  });

  it('0051 requests a call tomorrow, until the time is confirmed', async () => {
    await call('0051', 'Then I will call you again tomorrow at 3 PM.');
    expect(await bench.ending()).toMatchObject({ CallStatus: 'completed' });
    expect(prompts()).toEqual([
      'I am sorry, I have no time now. Call me tomorrow at three, please.',
      'Perfect, thank you. Goodbye!',
    ]);
  });

  it('0027 talks without an end', async () => {
    await call('0027', null);
    await bench.service.until(() => (prompts().length >= 6 ? true : undefined));
  });

  it('0028 makes listening sounds only', async () => {
    await call('0028', 'And there is more to it than that.');
    await bench.service.until(() => (prompts().length === 3 ? true : undefined));
    expect(prompts()).toEqual(['Uh-huh.', 'Mm-hm.', 'Right.']);
  });

  it('0005 announces a voicemail and hangs up when its storage is full', async () => {
    await call('0005', null);
    const prompt = await bench.service.frame(({ type }) => type === 'prompt');
    expect(prompt['voicePrompt']).toMatch(/voicemail of Alex Morgan.*after the tone/);
    expect(await bench.ending()).toMatchObject({ CallStatus: 'completed' });
    expect(prompts()).toHaveLength(1);
  });

  it('lets newer speech interrupt speech that may be pre-empted', async () => {
    const { service } = bench;
    service.answer = (path) =>
      path.startsWith('/answer') ? service.relayDocument({ events: 'tokens-played' }) : 204;
    service.talk = (frame, socket) => {
      if (frame.type !== 'setup') return;
      sayTo(socket, GREETING.repeat(5), { preemptible: true });
      sayTo(socket, 'Something else.');
    };
    await bench.call('0022');
    await service.frame((frame) => frame['value'] === 'Something else.');
    const played = service.frames.filter(({ name }) => name === 'tokensPlayed').map(({ value }) => value);
    expect(String(played[0]).length).toBeLessThan(GREETING.length);
  });

  it('responds to a frame without a meaning with an error, and continues', async () => {
    const { service } = bench;
    service.answer = (path) => (path.startsWith('/answer') ? service.relayDocument() : 204);
    service.talk = (frame, socket) => {
      if (frame.type === 'setup') socket.send('{"type":"sing"}');
      if (frame.type === 'error') endCall(socket, 'fine');
    };
    await bench.call('0022');
    await service.webhook(({ params }) => params['HandoffData'] === 'fine');
  });

  it('completes a conversation with the scripted model, which ends the call', async () => {
    const { service } = bench;
    const messages: { role: string; content: string }[] = [
      { role: 'system', content: 'You book appointments.' },
    ];
    const tools = [{ type: 'function', function: { name: 'end_call', description: 'Ends the call.' } }];
    service.answer = (path) => {
      if (path.startsWith('/answer')) return service.relayDocument({ welcomeGreeting: GREETING });
      return path.startsWith('/action') ? '<Response/>' : 204;
    };
    service.talk = (frame, socket) => {
      if (frame.type !== 'prompt') return;
      messages.push({ role: 'user', content: String(frame['voicePrompt']) });
      void ask({ model: 'any', messages, tools }).then(({ content, tool_calls }) => {
        messages.push({ role: 'assistant', content });
        sayTo(socket, content);
        if (tool_calls !== undefined) endCall(socket, 'goodbye');
      });
    };
    await bench.call('0020');
    await service.webhook(({ params }) => params['HandoffData'] === 'goodbye');
    expect(messages.map(({ content }) => content).join('\n')).toMatch(/noted Thursday at 3 pm/);
  });

  async function ask(body: object) {
    const response = await fetch(`${bench.sandbox.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${SANDBOX_API_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as {
      choices: [{ message: { content: string; tool_calls?: unknown[] } }];
    };
    return answer.choices[0].message;
  }
});
