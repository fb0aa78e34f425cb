import { Logger } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { startConversation } from './conversation.fake.js';

Logger.overrideLogger(false);

const YES = {
  'en-US': 'Yes.',
  'de-DE': 'Ja.',
  'es-MX': 'Sí.',
  'fr-FR': 'Oui.',
  'sv-SE': 'Ja.',
  'ja-JP': 'はい。',
};
const ASKED =
  'Does Friday at nine suit you? On Monday we have a place at eight or at ten in the morning as well.';
const TOLD = 'We have three appointments this week. Friday at nine is free, and Monday at ten as well.';

/** The customer speaks over the assistant, which the carrier has stopped after the heard part. */
async function speakOver(language: string, speech: string, heard: string, words: string) {
  const { session, model, begin } = startConversation({ language });
  model.willSay(speech).willSay('Fine.');
  await begin();
  await session.customerSays('When may I come?');
  await session.interrupt(heard);
  await session.customerSays(words);
  return { session, model };
}

describe('a short yes over the assistant', () => {
  it.each(Object.entries(YES))(
    'is an answer to the question that was heard, in %s',
    async (language, yes) => {
      const { session, model } = await speakOver(
        language,
        ASKED,
        'Does Friday at nine suit you? On Mon',
        yes,
      );
      expect(model.requests).toHaveLength(2);
      expect(session.speeches.at(-1)).toBe('Fine.');
    },
  );

  it.each(Object.entries(YES))(
    'is a backchannel where no question was heard, in %s',
    async (language, yes) => {
      const { session, model } = await speakOver(language, TOLD, 'We have three appointments this', yes);
      expect(model.requests).toHaveLength(1);
      expect(session.speeches.at(-1)).toBe('week. Friday at nine is free, and Monday at ten as well.');
    },
  );

  it('is a backchannel long after the question', async () => {
    const heard = 'Does Friday at nine suit you? On Monday we have a place at eight or at ten';
    const { model } = await speakOver('en-US', ASKED, heard, 'Yes.');
    expect(model.requests).toHaveLength(1);
  });

  it.each(['No.', 'Nope.', 'Yes, please.'])('is none where it says more: %s', async (words) => {
    const { model } = await speakOver('en-US', TOLD, 'We have three appointments this', words);
    expect(model.requests).toHaveLength(2);
  });

  it('is an answer over speech that goes on', async () => {
    const { clock, session, model, begin } = startConversation({ allowInterruptions: false });
    model.willSay(ASKED).willSay('Fine.');
    await begin();
    await session.customerSays('When may I come?');
    await clock.advance(2_400);
    await session.customerSays('Yes.');
    await clock.advance(20_000);
    expect(model.requests).toHaveLength(2);
    expect(session.speeches.at(-1)).toBe('Fine.');
  });
});
