import { Logger } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { startConversation } from './conversation.fake.js';

Logger.overrideLogger(false);

const CALL = { call: 'check_slot', args: '{"day":"Friday"}' };

describe('tools of a conversation', () => {
  it('runs a tool and speaks with its result', async () => {
    const { session, model, tools, recorder, clock, begin } = startConversation();
    tools.takesMs = 300;
    model.willSay('Let me look. ', CALL).willSay('Friday is free.');
    await begin();
    await session.customerSays('Is Friday free?');
    await clock.advance(300);
    expect(tools.runs).toEqual([{ name: 'check_slot', args: { day: 'Friday' } }]);
    expect(session.speeches).toEqual(['Let me look. ', 'Friday is free.']);
    expect(model.requests[1]?.messages.slice(2)).toEqual([
      {
        role: 'assistant',
        text: 'Let me look.',
        toolCalls: [expect.objectContaining({ name: 'check_slot', arguments: '{"day":"Friday"}' })],
      },
      { role: 'tool', callId: 'call_1', text: '{"free":true}' },
    ]);
    expect(recorder.tools).toEqual([
      {
        seq: 3,
        name: 'check_slot',
        arguments: { day: 'Friday' },
        outcome: tools.outcome,
        answer: '{"free":true}',
      },
    ]);
    expect(recorder.lines).toEqual(['Customer: Is Friday free?', 'AI: Let me look.', 'AI: Friday is free.']);
  });

  it('reports to the model how much of a long result is omitted', async () => {
    const { session, model, tools, begin } = startConversation();
    tools.outcome = { ok: true, result: 'x'.repeat(4_000), durationMs: 5, statusCode: 200 };
    model.willSay(CALL).willSay('One.').willSay(CALL).willSay('Two.');
    await begin();
    await session.customerSays('One?');
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ text: 'x'.repeat(4_000) });
    tools.outcome = { ...tools.outcome, result: 'x'.repeat(4_321) };
    await session.customerSays('Two?');
    const text = `${'x'.repeat(4_000)} [cut: 321 more characters]`;
    expect(model.requests[3]?.messages.at(-1)).toMatchObject({ text });
  });

  it('hides the keys that the customer presses in everything stored, but not in requests', async () => {
    const { session, model, tools, recorder, clock, begin } = startConversation();
    tools.outcome = { ok: true, result: 'Code 4711 is valid.', durationMs: 5, statusCode: 200 };
    model.willSay({ call: 'check_slot', args: '{"day":"4711"}' }).willSay('Your code 47 11 is valid.');
    model.willSay('Yes, 4711.');
    await begin();
    for (const digit of '4711#') await session.emit({ kind: 'digit', digit });
    await clock.advance(5_000);
    await session.customerSays('Really 4711, until 12:45?');
    expect(tools.runs).toEqual([{ name: 'check_slot', args: { day: '4711' } }]);
    expect(session.speeches).toEqual(['Your code 47 11 is valid.', 'Yes, 4711.']);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ text: 'Code 4711 is valid.' });
    expect(recorder.tools).toMatchObject([{ arguments: { day: '****' }, answer: 'Code **** is valid.' }]);
    expect(recorder.lines).toEqual([
      'Customer: [keys pressed: ****]',
      'AI: Your code ** ** is valid.',
      'Customer: Really ****, until 12:45?',
      'AI: Yes, ****.',
    ]);
  });

  it.each([
    ['are not JSON', 'Friday', 'not valid JSON'],
    ['lack a parameter', '{}', 'The argument day must be given'],
  ])('reports to the model that its arguments %s, and runs no tool', async (_, args, fault) => {
    const { session, model, tools, recorder, begin } = startConversation();
    model.willSay({ call: 'check_slot', args }).willSay('Which day?');
    await begin();
    await session.customerSays('Is it free?');
    expect(tools.runs).toEqual([]);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      role: 'tool',
      text: expect.stringContaining(fault),
    });
    expect(recorder.tools).toMatchObject([{ arguments: null, outcome: { ok: false } }]);
  });

  it('runs five calls of an answer, and reports to the model that the others do not run', async () => {
    const { session, model, tools, recorder, begin } = startConversation();
    model.willSay(...Array.from({ length: 8 }, () => CALL)).willSay('Friday is free.');
    await begin();
    await session.customerSays('All days, please.');
    expect(tools.runs).toHaveLength(5);
    expect(recorder.tools).toHaveLength(5);
    const results = (model.requests[1]?.messages ?? []).filter(({ role }) => role === 'tool');
    expect(results.map(({ text }) => text.includes('Not run'))).toEqual([
      ...Array.from({ length: 5 }, () => false),
      ...Array.from({ length: 3 }, () => true),
    ]);
  });

  it('hides the keys that were pressed in the stored arguments only', async () => {
    const { clock, session, model, tools, recorder, begin } = startConversation();
    model.willSay({ call: 'check_slot', args: '{"day":"4111-1111 on 12"}' }).willSay('Done.');
    await begin();
    for (const digit of '41111111#') await session.emit({ kind: 'digit', digit });
    await clock.advance(2_000);
    expect(tools.runs).toMatchObject([{ args: { day: '4111-1111 on 12' } }]);
    expect(recorder.tools).toMatchObject([{ arguments: { day: '**** on 12' } }]);
    expect(JSON.stringify([...recorder.turns.values(), ...recorder.tools])).not.toContain('1111');
  });

  it('reports failures, crashes and missing tools to the model', async () => {
    const { session, model, tools, begin } = startConversation();
    tools.outcome = {
      ok: false,
      error: 'The tool answered with status 500.',
      durationMs: 5,
      statusCode: 500,
    };
    model.willSay(CALL, { call: 'no_such_tool' }).willSay(CALL).willSay('It does not work.');
    await begin();
    await session.customerSays('Is it free?');
    expect(model.requests[1]?.messages.slice(-2)).toMatchObject([
      { text: '{"error":"The tool answered with status 500."}' },
      { text: '{"error":"There is no such tool."}' },
    ]);
    tools.run = () => Promise.reject(new Error('secret detail'));
    model.willSay(CALL).willSay('Sorry.');
    await session.customerSays('Try again, please.');
    expect(model.requests.at(-1)?.messages.at(-1)).toMatchObject({ text: '{"error":"The tool failed."}' });
  });

  it("sends the model the text of a tool's refusal", async () => {
    const { session, model, tools, begin } = startConversation();
    const result = { message: 'Slot taken', next: '16:00' };
    tools.outcome = { ok: false, error: 'Status 409.', result, durationMs: 5, statusCode: 409 };
    model.willSay(CALL).willSay('Four is free.');
    await begin();
    await session.customerSays('Friday?');
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      text: '{"error":"Status 409.","answer":{"message":"Slot taken","next":"16:00"}}',
    });
  });

  it('lets a tool finish when the customer speaks, and answers both together', async () => {
    const { clock, session, model, tools, recorder, begin } = startConversation();
    tools.takesMs = 2_000;
    model.willSay(CALL).willSay('Friday is free, also at nine.');
    await begin();
    await session.customerSays('Is Friday free?');
    await clock.advance(500);
    await session.customerSays('At nine, if possible.');
    await clock.advance(1_500);
    expect(tools.runs).toHaveLength(1);
    expect(model.requests).toHaveLength(2);
    expect(model.requests[1]?.messages.slice(1).map(({ role }) => role)).toEqual([
      'customer',
      'assistant',
      'tool',
      'customer',
    ]);
    expect(session.speeches).toEqual(['Friday is free, also at nine.']);
    expect(recorder.lines).toHaveLength(3);
  });

  it('keeps the result of a finished tool when the speech about it is not heard', async () => {
    const { session, model, begin, clock } = startConversation();
    model.willSay(CALL).willSay('Friday is free.').willSay('As I said.');
    await begin();
    await session.customerSays('Is Friday free?');
    await clock.advance(0);
    await session.interrupt('');
    await session.customerSays('What?');
    expect(model.requests[2]?.messages.slice(1).map(({ role }) => role)).toEqual([
      'customer',
      'assistant',
      'tool',
      'customer',
    ]);
  });

  it('requires speech from the model after five rounds in a row', async () => {
    const { clock, session, model, tools, begin } = startConversation();
    for (let round = 0; round < 5; round += 1) model.willSay(CALL);
    model.willSay('I cannot find it.');
    await begin();
    await session.customerSays('Look it up.');
    await clock.advance(0);
    expect(tools.runs).toHaveLength(5);
    expect(model.requests.map(({ mayCallTools }) => mayCallTools)).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
    ]);
    expect(session.speeches).toEqual(['I cannot find it.']);
  });

  it('runs the other tools of an answer before it ends the call', async () => {
    const { clock, session, model, tools, begin } = startConversation();
    model.willSay('Booked. Goodbye.', CALL, { call: 'end_call' });
    await begin();
    await session.customerSays('Book it, bye.');
    await clock.advance(6_000);
    expect(tools.runs).toHaveLength(1);
    expect(session.ended).toBe('goodbye');
  });

  it('does not let a tool of the user replace a built-in', async () => {
    const tool = { id: 1, name: 'end_call', description: 'Mine.', parameters: [] };
    const { session, model, begin } = startConversation({ tools: [tool], endCallDescription: 'When done.' });
    await begin();
    await session.customerSays('Hello');
    expect(model.requests[0]?.tools.map(({ name, description }) => [name, description])).toContainEqual([
      'end_call',
      'When done.',
    ]);
    expect(model.requests[0]?.tools).toHaveLength(2);
  });
});

describe('fillers', () => {
  const fillers = { neutral: ['One moment.', 'Let me see.'], question: ['Good question.'] };

  it('speaks one when the model takes longer than 700 ms, and records it without the model', async () => {
    const { clock, session, model, recorder, begin } = startConversation({ fillers });
    model.willSay({ waitMs: 2_000 }, 'Here.').willSay('There.');
    await begin();
    await session.customerSays('Find it.');
    await clock.advance(699);
    expect(session.speeches).toEqual([]);
    await clock.advance(1);
    expect(session.speeches).toEqual(['One moment.']);
    await clock.advance(2_000);
    await session.customerSays('More.');
    expect(JSON.stringify(model.requests[1]?.messages)).not.toContain('One moment.');
    expect(recorder.lines.slice(0, 3)).toEqual(['Customer: Find it.', 'AI: One moment.', 'AI: Here.']);
    expect(recorder.turns.get(2)).toMatchObject({ kind: 'filler', timings: { textFirst: 700 } });
  });

  it('speaks none when the model is quick', async () => {
    const { clock, session, model, begin } = startConversation({ fillers });
    model.willSay({ waitMs: 600 }, 'Here.');
    await begin();
    await session.customerSays('Find it.');
    await clock.advance(2_000);
    expect(session.speeches).toEqual(['Here.']);
  });

  it('speaks one when a tool starts without text, and only one a turn', async () => {
    const { clock, session, model, tools, begin } = startConversation({ fillers });
    tools.takesMs = 1_000;
    model.willSay(CALL).willSay({ waitMs: 2_000 }, 'Free.');
    await begin();
    await session.customerSays('Is Friday free?');
    expect(session.speeches).toEqual(['Good question.']);
    await clock.advance(3_000);
    expect(session.speeches).toEqual(['Good question.', 'Free.']);
  });

  it('does not interrupt its own filler for newer speech', async () => {
    const { clock, session, model, begin } = startConversation({ fillers, minInterruptWords: 3 });
    model.willSay({ waitMs: 800 }, 'Here.');
    await begin();
    await session.customerSays('Find it.');
    await clock.advance(900);
    expect(session.speeches).toEqual(['One moment.']);
    await session.emit({ kind: 'played', text: 'One moment.' });
    expect(session.speeches).toEqual(['One moment.', 'Here.']);
  });
});
