import { expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { anAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { aNumber } from '../factories/lead.js';
import { CarrierBench } from '../support/carrier-bench.js';
import { until } from '../support/until.js';

it('a stopped service accepts no new call, and ends when its calls have ended', async () => {
  const bench = await CarrierBench.start(undefined, 80, { DRAIN_SECONDS: '60' });
  try {
    const user = await anAccount({ service: bench });
    await anAssistant(user, {
      calls_direction: 'receive',
      phone_number_id: user.phoneNumber.id,
      max_silence_duration: 120,
    });
    const assistant_id = await anAssistant(user);
    const call = () => bench.incoming(user.phoneNumber.phone_number, aNumber());
    const document = await call();
    const token = /\/telephony\/relay\/([\w-]+)/.exec(document)?.[1] ?? '';
    const socket = await bench.connects(token);
    socket.send(JSON.stringify({ type: 'setup', callSid: `CA${randomBytes(16).toString('hex')}` }));
    const exited = bench.terminate();
    const ready = bench.root.replace('/api', '/health/ready');
    await until(async () => ((await fetch(ready)).status === 503 ? true : null));

    const refused = await user.client.post('/user/make_call', { assistant_id, phone_number: aNumber() });
    expect(refused.status).toBe(503);
    expect(refused.body).toEqual({ message: 'Service temporarily unavailable' });
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(await call()).toContain('<Reject reason="busy"/>');
    expect((await user.client.get('/user/me')).status).toBe(200);

    socket.close(1000);
    expect(await exited).toBe(0);
  } finally {
    await bench.stop();
  }
});
