import { Logger } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { startConversation } from './conversation.fake.js';

Logger.overrideLogger(false);

describe('the disclosure in a conversation', () => {
  const notice = 'You are speaking with an automated assistant.';

  it('precedes the first answer when the customer speaks first, and cannot be interrupted', async () => {
    const { session, model, recorder, begin } = startConversation({ notice });
    model.willSay('Ada here.').willSay('Yes.');
    await begin();
    await session.customerSays('Hello?');
    expect(session.speeches).toEqual([notice, 'Ada here.']);
    expect(session.frames[0]?.options).toEqual({ interruptible: false, preemptible: false });
    expect(recorder.lines).toEqual(['Customer: Hello?', `AI: ${notice}`, 'AI: Ada here.']);
    await session.customerSays('Ada?');
    expect(session.speeches.filter((speech) => speech === notice)).toHaveLength(1);
  });

  it('is not repeated after the greeting contains it, unless the greeting was cut before its end', async () => {
    const { session, model, begin } = startConversation({ notice, greeting: `${notice} Hello.` });
    model.willSay('Yes?').willSay('I am Ada.');
    await begin();
    await session.interrupt(`${notice} He`);
    await session.customerSays('Who?');
    expect(session.speeches).toEqual(['Yes?']);
    const cut = startConversation({ notice, greeting: `${notice} Hello.` });
    cut.model.willSay('Yes?');
    await cut.begin();
    await cut.session.interrupt('You are speaking');
    await cut.session.customerSays('Who?');
    expect(cut.session.speeches).toEqual([notice, 'Yes?']);
  });

  it('is heard before an answer that would stop it', async () => {
    const { clock, session, model, recorder, begin } = startConversation({ notice, minInterruptWords: 3 });
    model.willSay('Ada here.').willSay('It is Ada.');
    await begin();
    await session.customerSays('Hello?');
    expect(session.speeches).toEqual([notice]);
    await session.customerSays('who is this please');
    await clock.advance(notice.length * 60);
    expect(session.speeches).toEqual([notice, 'It is Ada.']);
    expect(recorder.lines).toContain(`AI: ${notice}`);
  });

  it('precedes a sentence of the engine, too', async () => {
    const { clock, session, begin } = startConversation({ notice, maxSilenceSeconds: 5 });
    await begin();
    await clock.advance(5_000);
    expect(session.speeches).toEqual([notice, expect.stringContaining('I cannot hear anything')]);
  });
});
