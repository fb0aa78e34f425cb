import { expect, it } from '@jest/globals';
import { anAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall, callWhen } from '../factories/call.js';
import { database } from '../support/database.js';
import { journalOf } from '../support/sandbox.js';

/** Polite, interrupts, asks for a tool, and for another language. */
const CALLEES = ['0020', '0021', '0025', '0029'];

it('stores what each side heard of the other, line by line', async () => {
  const account = await anAccount({ plan: 'unlimited' });
  const assistantId = await anAssistant(account, { post_call_evaluation: false });
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
    // Neither the answer document nor a frame, that of the other language included.
    expect(journal.filter(({ kind }) => kind === 'refusal')).toEqual([]);
    const speech = journal.filter(({ kind }) => kind === 'speech');
    const spoken = speech
      // Words that the carrier passed on, and what was heard of the assistant's.
      .filter(({ reported, heard }) => reported ?? heard)
      .map(
        ({ who, text, heard = text }) =>
          `${who === 'assistant' ? 'AI' : 'Customer'}: ${String(heard).trim()}`,
      );
    expect(spoken.length).toBeGreaterThan(3);
    const transcript = String(Reflect.get(call, 'transcript'));
    expect(transcript.split('\n')).toEqual(spoken);
    expect(transcript.includes('language is de-DE')).toBe(transcript.includes('German'));
  }
});
