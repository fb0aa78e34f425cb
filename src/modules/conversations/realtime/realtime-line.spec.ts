import { expect, it } from '@jest/globals';
import type { CallSessionEvent } from '../../telephony/call-session.js';
import { CHARACTER_BYTES, CHARACTER_MS, openSession } from './realtime.fake.js';

const SPEECH = { interruptible: true, preemptible: false };

/** A session over a line as browsers have it, which speaks. */
async function speaking() {
  const opened = await openSession();
  const events: CallSessionEvent[] = [];
  const captions: unknown[] = [];
  Object.assign(opened.line, { caption: (...caption: unknown[]) => captions.push(caption) });
  opened.session.onEvent((event) => events.push(event));
  opened.session.say('Good morning to you', true, SPEECH);
  await opened.model.answers('Good morning to you');
  return { ...opened, events, captions };
}

it('shows what is heard, and what the customer says', async () => {
  const { line, model, captions } = await speaking();
  await line.playsOne();
  await model.emit({ kind: 'speech', itemId: 'one', on: true });
  await model.emit({ kind: 'words', itemId: 'one', text: 'Who ' });
  await model.emit({ kind: 'speech', itemId: 'one', on: false });
  await model.emit({ kind: 'heard', itemId: 'one', text: 'Who is it?' });
  expect(captions).toEqual([
    ['assistant', 'Good', false],
    ['customer', 'Who ', false],
    ['customer', 'Who is it?', true],
  ]);
});

it('stops when the customer requests it or writes, and accepts the written text', async () => {
  for (const event of [{ kind: 'interrupted' }, { kind: 'text', text: 'Wait' }] as const) {
    const { line, events } = await speaking();
    await line.playsOne();
    await line.emit(event);
    expect(line.clears).toBe(1);
    expect(events.slice(1, 2)).toEqual([{ kind: 'interrupted', heard: 'Good' }]);
    const said = event.kind === 'text' ? [{ kind: 'utterance', text: 'Wait', final: true }] : [];
    expect(events.slice(2)).toEqual(said);
  }
});

it('computes the heard part when a mark is delayed', async () => {
  const { clock, line, events } = await speaking();
  // Each mark is on its way for 40 ms; the third one, after 550 ms of audio, for 190 ms.
  for (const [at, due] of [
    [290, 250],
    [340, 300],
    [740, 550],
  ] as const) {
    await clock.advance(at - clock.now());
    await line.playsTo(due);
  }
  await clock.advance('Good morning'.length * CHARACTER_MS + 60 - clock.now() + 40);
  await line.emit({ kind: 'interrupted' });
  expect(events.find(({ kind }) => kind === 'interrupted')).toEqual({
    kind: 'interrupted',
    heard: 'Good morning',
  });
});

it('takes no word for heard where the text is ahead of the first audio', async () => {
  const { clock, line, model, session } = await openSession();
  const events: CallSessionEvent[] = [];
  session.onEvent((event) => events.push(event));
  session.say('Good morning to you today, and welcome.', true, SPEECH);
  const { response = '' } = model.requests.at(-1) ?? {};
  const item = { response, itemId: `item_${response}` };
  await model.emit({ kind: 'transcript', ...item, text: 'Good morning to you today, ' });
  const audio = Buffer.alloc('Good morning to you '.length * CHARACTER_BYTES);
  await model.emit({ kind: 'audio', ...item, audio });
  await clock.advance('Good morni'.length * CHARACTER_MS);
  await line.emit({ kind: 'interrupted' });
  expect(events.find(({ kind }) => kind === 'interrupted')).toEqual({ kind: 'interrupted', heard: 'Good' });
});

it('counts nothing as heard after the line breaks', async () => {
  const { line, clock, events } = await speaking();
  await line.playsOne();
  Object.assign(line, { brokenSince: clock.now() + 9 * CHARACTER_MS });
  await clock.advance(15_000);
  await line.emit({ kind: 'closed' });
  expect(events.flatMap((event) => (event.kind === 'played' ? [event.text] : []))).toEqual([
    'Good',
    ' morning',
  ]);
});
