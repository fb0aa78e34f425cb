import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { TestAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { runCommand } from '../support/command.js';
import { OwnService } from '../support/own-service.js';
import { Receiver } from '../support/receiver.js';
import { until } from '../support/until.js';

interface Model {
  name: string;
  warning?: string;
}

let service: OwnService;
let receiver: Receiver;
let account: TestAccount;
/** An endpoint that offers one model. */
let endpoint: Server;

const cli = (args: string[], settings: Record<string, string> = {}) =>
  runCommand(args, { DATABASE_URL: service.url, ...settings });

beforeAll(async () => {
  endpoint = createServer((request, response) => {
    if (request.url !== '/v1/models') return void response.writeHead(404).end();
    response.end(JSON.stringify({ object: 'list', data: [{ id: 'gpt-6-luna', object: 'model' }] }));
  }).listen(0, '127.0.0.1');
  await once(endpoint, 'listening');
  receiver = await Receiver.open();
  service = await OwnService.start(undefined, { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' });
  account = await service.account();
});

afterAll(async () => {
  await service.stop();
  await receiver.close();
  endpoint.closeAllConnections();
  endpoint.close();
});

it('warns about a model that its endpoint no longer offers, until it offers it again', async () => {
  await cli(['models', 'add', 'gone', '--code', 'gpt-6-luna', '--fallback', 'gpt-6-luna']);
  // The catalogue is read again.
  await service.restart();
  const id = await anAssistant(account, {
    llm_model: 'gone',
    assistant_name: 'Ada',
    is_webhook_active: true,
    webhook_url: receiver.url,
    send_webhook_only_on_completed: false,
  });
  const listed = async (): Promise<Model | undefined> =>
    (await account.client.get<Model[]>('/user/assistants/models')).body.find(({ name }) => name === 'gone');
  expect(await listed()).not.toHaveProperty('warning');

  await cli(['models', 'set', 'gone', '--code', 'not-offered']);
  await service.restart();
  await until(async () => service.service.output().includes('The model gone is not offered by its endpoint'));
  const [delivered] = await until(async () => receiver.received.length > 0 && receiver.received);
  expect(delivered?.body).toEqual({
    event: 'model.retiring',
    assistant: { id, name: 'Ada' },
    model: { name: 'gone', code: 'not-offered', warning: 'missing', retires_on: null, replaced_by: null },
    timestamp: expect.any(String),
  });
  const metrics = await (await fetch(`${service.service.url}/metrics`)).text();
  expect(metrics).toContain('model_warning_assistants{model="gone",warning="missing"} 1');
  expect(await listed()).toMatchObject({ warning: 'missing' });

  const { port } = endpoint.address() as AddressInfo;
  const settings = { LLM_BASE_URL: `http://127.0.0.1:${port}/v1`, LLM_API_KEY: 'of-the-test' };
  const { output } = await cli(['doctor', '--json'], settings);
  const { checks } = JSON.parse(output) as { checks: { name: string; state: string; what: string }[] };
  expect(checks.find(({ name }) => name === 'model gone')).toMatchObject({
    state: 'warn',
    what: `gone is not offered by its endpoint (assistants ${id})`,
  });

  await cli(['models', 'set', 'gone', '--code', 'gpt-6-luna']);
  await service.restart();
  await until(async () => {
    const { rows } = await service.db.query(
      `SELECT 1 FROM language_models WHERE name = 'gone' AND warning IS NULL`,
    );
    return rows.length === 1;
  });
});
