import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { anAccount } from '../factories/account.js';
import { secretOf } from '../factories/webhook.js';
import { baseUrl } from '../support/client.js';
import { run } from '../support/command.js';
import { Receiver } from '../support/receiver.js';
import { until } from '../support/until.js';

/** The README's tour. Prints the call. */
const TOUR = `import { createClient } from './dist/index.js';
const { BASE_URL, TOKEN, RECEIVER } = process.env;
const client = createClient({ baseUrl: BASE_URL, token: TOKEN });
const taken = ({ data, error }) => {
  if (error) throw new Error(JSON.stringify(error));
  return data;
};
const tool = taken(await client.POST('/api/user/tools', { body: {
  name: 'check_appointment', description: 'Checks whether an appointment is available.', endpoint: RECEIVER,
  method: 'POST', schema: [{ name: 'day', type: 'string', description: 'The day' }],
} })).data;
const assistant = taken(await client.POST('/api/user/assistant', { body: {
  assistant_name: 'Receptionist', voice_id: 1, language: 'English', llm_model: 'gpt-6-luna',
  calls_direction: 'make', engine_type: 'pipeline', timezone: 'Etc/UTC', initial_message: 'Hello {name}.',
  system_prompt: 'Make an appointment.', tool_ids: [tool.id], is_webhook_active: true, webhook_url: RECEIVER,
} })).data;
const campaign = taken(await client.POST('/api/user/campaigns', {
  body: { name: 'Check-ups', assistant_id: assistant.id },
})).data;
taken(await client.POST('/api/user/lead', {
  body: { campaign_id: campaign.id, phone_number: '+15005550025', variables: { name: 'Alex' } },
}));
taken(await client.POST('/api/user/campaigns/update-status', { body: { campaign_id: campaign.id, action: 'start' } }));
for (;;) {
  const { data } = taken(await client.GET('/api/user/calls', { params: { query: { campaign_id: campaign.id } } }));
  if (data[0]?.status === 'completed') {
    console.log(JSON.stringify(data[0]));
    break;
  }
  await new Promise((resolve) => setTimeout(resolve, 200));
}
`;

const VERIFY = `import { verifyWebhook } from './dist/index.js';
const { secret, headers, body } = JSON.parse(process.env.GIVEN);
console.log(JSON.stringify(verifyWebhook(secret, headers, body)));
`;

const SEND = `import { createClient } from './dist/index.js';
const client = createClient({ baseUrl: process.env.BASE_URL, token: 'token' });
const { data } = await client.POST('/api/user/lead', { body: { campaign_id: 1, phone_number: '+15005550020' } });
console.log(JSON.stringify(data));
`;

describe('the TypeScript client', () => {
  let folder: string;
  let receiver: Receiver;
  const at = (name: string) => join(folder, name);
  const node = (script: string, env: Record<string, string> = {}) =>
    run(at(script), [], { ...process.env, ...env });

  beforeAll(async () => {
    receiver = await Receiver.open();
    folder = await mkdtemp(join(tmpdir(), 'typescript-client-'));
    await cp('clients/typescript', folder, { recursive: true });
    await symlink(resolve('node_modules'), at('node_modules'));
    const generator = 'node_modules/openapi-typescript/bin/cli.js';
    const options = ['--default-non-nullable=false', '--output', at('src/api.ts')];
    expect(await run(generator, [`${baseUrl()}/docs-json`, ...options])).toMatchObject({ code: 0 });
    const built = await run('node_modules/typescript/bin/tsc', ['--project', folder]);
    expect([built.code, built.output]).toEqual([0, '']);
    await Promise.all([
      writeFile(at('tour.mjs'), TOUR),
      writeFile(at('verify.mjs'), VERIFY),
      writeFile(at('send.mjs'), SEND),
    ]);
  });
  afterAll(async () => {
    await receiver.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('runs from a tool to a call, whose webhook it verifies', async () => {
    const user = await anAccount();
    const env = { BASE_URL: baseUrl(), TOKEN: user.token, RECEIVER: receiver.url };
    const { code, output, problem } = await node('tour.mjs', env);
    expect([code, problem]).toEqual([0, '']);
    const call = JSON.parse(output) as { id: number };
    const delivery = await until(() =>
      Promise.resolve(
        receiver.received.find(({ headers }) => headers['webhook-event'] === 'call.completed') ?? null,
      ),
    );
    const given = { secret: await secretOf(user), headers: delivery.headers, body: delivery.text };
    const verified = await node('verify.mjs', { GIVEN: JSON.stringify(given) });
    expect(JSON.parse(verified.output)).toMatchObject({ id: call.id });
    const forged = await node('verify.mjs', { GIVEN: JSON.stringify({ ...given, body: `${given.body} ` }) });
    expect(forged.code).toBe(1);
  });

  it('retries a request that is refused temporarily or has no response, with the same key', async () => {
    receiver.received.length = 0;
    const replies = [{ status: 503, headers: { 'retry-after': '0' } }, { reset: true }];
    receiver.reply = () => replies.shift() ?? { headers: { 'content-type': 'application/json' } };
    const { output } = await node('send.mjs', { BASE_URL: new URL(receiver.url).origin });
    expect(JSON.parse(output)).toEqual({ ok: true });
    expect(receiver.received).toHaveLength(3);
    const keys = new Set(receiver.received.map(({ headers }) => headers['idempotency-key']));
    expect([...keys]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  });
});
