import { expect, it } from '@jest/globals';
import { anAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, callWhen } from '../factories/call.js';
import { journalWords, MULTIMODAL, transcriptWords } from '../support/multimodal-call.js';
import { database } from '../support/database.js';
import { journalOf } from '../support/sandbox.js';

/** Polite, and asks for a tool. */
const CALLEES = ['0020', '0025'];

it.concurrent('holds a call over its audio, and stores what each side heard of the other', async () => {
  const account = await anAccount({ plan: 'unlimited' });
  // What is heard of speech that is cut is exact at the speed of people only: multimodal.long.e2e.ts.
  const fields = { ...MULTIMODAL, allow_interruptions: false, post_call_evaluation: false };
  const assistantId = await anAssistant(account, fields);
  const ids = await Promise.all(
    CALLEES.map((callee) => aCall(account, assistantId, { phoneNumber: `+1500555${callee}` })),
  );
  for (const id of ids) {
    const call = await callWhen(account, id, ({ status }) => status === 'completed');
    const { rows } = await database().query<{ sid: string }>(
      'SELECT carrier_sid AS sid FROM calls WHERE id = $1',
      [id],
    );
    const journal = await journalOf(rows[0]?.sid ?? '');
    expect(journal.filter(({ kind }) => kind === 'refusal')).toEqual([]);
    const transcript = String(Reflect.get(call, 'transcript'));
    expect(transcriptWords(transcript)).toEqual(journalWords(journal));
    expect(transcript).toContain('You are speaking with an automated assistant. Hello, how can I help you?');
    expect(Reflect.get(call, 'settings_not_applied')).not.toContain('engine_type');
    expect(Reflect.get(call, 'ended_reason')).toBe('goodbye');
  }
});

it.concurrent('speaks and stores its disclosure once when its first stream never opens', async () => {
  const account = await anAccount();
  const fields = { ...MULTIMODAL, allow_interruptions: false, post_call_evaluation: false };
  const id = await aCall(account, await anAssistant(account, fields), { phoneNumber: '+15005550034' });
  const call = await callWhen(account, id, ({ status }) => status === 'completed');
  const transcript = String(Reflect.get(call, 'transcript'));
  const { rows } = await database().query<{ sid: string }>(
    'SELECT carrier_sid AS sid FROM calls WHERE id = $1',
    [id],
  );
  expect(transcriptWords(transcript)).toEqual(journalWords(await journalOf(rows[0]?.sid ?? '')));
  expect(transcript.split('automated assistant.')).toHaveLength(2);
});
