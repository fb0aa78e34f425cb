import { expect, it } from '@jest/globals';
import { anAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aCall } from '../factories/call.js';
import { CarrierBench } from '../support/carrier-bench.js';
import { heardCall, problemsOf } from '../support/heard-call.js';
import { journalWords, MULTIMODAL } from '../support/multimodal-call.js';
import { GREETING } from '../support/spoken-call.js';

/** A voice without end to the sandbox's realtime model; the service hears that it is steady. */
const STEADY_NOISE = { background: [{ sound: 'white', level: -26 }] };

it('answers a customer each time whose noise keeps the realtime model in speech', async () => {
  const bench = await CarrierBench.start(undefined, 1, { VOICE_DETECTION: 'energy' });
  try {
    await bench.setTraits('0020', STEADY_NOISE);
    const user = await anAccount({ service: bench });
    const fields = { ...MULTIMODAL, initial_message: GREETING, max_call_duration: 90 };
    const assistant = await anAssistant(user, { ...fields, post_call_evaluation: false });
    const heard = await heardCall(bench, user, await aCall(user, assistant, { phoneNumber: '+15005550020' }));
    expect(heard.call['ended_reason']).toBe('goodbye');
    expect(problemsOf(heard)).toEqual([]);
    const { customer } = journalWords(heard.journal);
    expect(customer).toContain('Thursdayat3pm');
    // What the callee says when nobody answers.
    expect(customer).not.toContain('stillthere');
  } finally {
    await bench.stop();
  }
});
