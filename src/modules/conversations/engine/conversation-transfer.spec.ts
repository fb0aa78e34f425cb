import { Logger } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { startConversation } from './conversation.fake.js';

Logger.overrideLogger(false);

const TARGETS = [
  { name: 'Workshop', phoneNumber: '+14155550177', description: 'For repairs.' },
  { name: 'Sales', phoneNumber: '+14155550188', description: null },
];
const wanted = (to: string) => ({ call: 'transfer_call', args: JSON.stringify({ to }) });

async function asked(...said: Parameters<ReturnType<typeof startConversation>['model']['willSay']>) {
  const parts = startConversation({ transferTargets: TARGETS });
  parts.model.willSay(...said);
  await parts.begin();
  await parts.session.customerSays('A person, please.');
  return parts;
}

describe('transfer_call', () => {
  it('leaves the call after its sentence is heard and the transfer is stored, without ending it', async () => {
    const { clock, session, recorder, result } = await asked('I connect you.', wanted('Sales'));
    expect([session.ended, recorder.transfers]).toEqual([null, []]);
    await clock.advance(5_000);
    expect(recorder.transfers).toEqual([{ seq: 3, name: 'Sales', phoneNumber: '+14155550188' }]);
    expect(session.ended).toBe('transferred');
    expect(result()).toEqual({ endedBy: 'assistant', reason: 'transferred' });
  });

  it('leaves the call after 10 s when the transfer cannot be stored', async () => {
    const { clock, session, recorder } = await asked('I connect you.', wanted('Sales'));
    recorder.storeTransfer = () => Promise.reject(new Error('away'));
    await clock.advance(5_000);
    expect(session.ended).toBeNull();
    await clock.advance(10_000);
    expect(session.ended).toBe('transferred');
  });

  it('transfers a call that the model ends in the same answer, but not one to a suppressed number', async () => {
    const both = await asked('Goodbye.', wanted('Sales'), { call: 'end_call', args: '{}' });
    await both.clock.advance(5_000);
    expect(both.session.ended).toBe('transferred');
    const stopped = await asked('Goodbye.', wanted('Sales'), { call: 'stop_calling', args: '{}' });
    await stopped.clock.advance(5_000);
    expect([stopped.session.ended, stopped.recorder.transfers]).toEqual(['stop_calling', []]);
  });

  it.each([['{}'], ['{"to":"Boss"}'], ['no JSON']])('continues when %s names no person', async (args) => {
    const parts = await asked({ call: 'transfer_call', args });
    parts.model.willSay('Whom do you want?');
    await parts.clock.advance(5_000);
    expect(parts.recorder.tools).toMatchObject([{ name: 'transfer_call', outcome: { ok: false } }]);
    expect([parts.session.ended, parts.recorder.transfers]).toEqual([null, []]);
  });

  it('apologises once for a person who cannot be reached, and lets the customer talk', async () => {
    const transfer = { role: 'tool', seq: 2, name: 'transfer_call', arguments: {}, answer: 'busy' } as const;
    const parts = startConversation(
      { language: 'fr-FR', transferTargets: TARGETS },
      { history: [transfer], elapsedSeconds: 9, transferFailed: true },
    );
    await parts.begin();
    await parts.clock.advance(8_000);
    expect(parts.session.speeches).toEqual([
      'Malheureusement, personne n’est joignable. Comment puis-je vous aider autrement ?',
    ]);
    expect(parts.model.requests).toEqual([]);
  });
});
