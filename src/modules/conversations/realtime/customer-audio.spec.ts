import { describe, expect, it } from '@jest/globals';
import type { CallSessionEvent } from '../../telephony/call-session.js';
import type { TurnDetection } from '../../speech/realtime-model.js';
import { openSession } from './realtime.fake.js';
import { HANG_OVER_MS, speaks } from './realtime-conversation.fake.js';

describe('the turns in the audio of a customer', () => {
  const listening = async (detection?: TurnDetection) => {
    const opened = await openSession({}, undefined, undefined, undefined, detection);
    const voicedMs: number[] = [];
    opened.session.onEvent((event: CallSessionEvent) => {
      if (event.kind === 'committed') voicedMs.push(event.voicedMs);
    });
    return { ...opened, voicedMs };
  };

  it('end later where the provider decides by the meaning', async () => {
    const call = await listening({ by: 'meaning', eagerness: 'medium' });
    await call.model.emit({ kind: 'speech', itemId: 'one', on: true });
    await call.line.hears(call.clock, 1_200);
    await call.line.hears(call.clock, 2_780, false);
    expect(call.model.sent('commit')).toEqual([]);
    await call.line.hears(call.clock, 20, false);
    expect(call.model.sent('commit')).toHaveLength(1);
  });

  it('have no voice in noise, once the customer was heard', async () => {
    const call = await listening();
    await speaks(call, 'one', 1_000);
    await call.model.emit({ kind: 'speech', itemId: 'noise', on: true });
    await call.line.hears(call.clock, 3_000, false);
    await call.model.commits('noise');
    expect(call.voicedMs).toEqual([1_000, 0]);
  });

  it('have voice for their whole duration where the customer is never heard', async () => {
    const call = await listening();
    await call.model.emit({ kind: 'speech', itemId: 'one', on: true });
    await call.line.hears(call.clock, 3_000, false);
    await call.model.commits('one');
    expect(call.voicedMs).toEqual([3_000 - HANG_OVER_MS]);
  });
});
