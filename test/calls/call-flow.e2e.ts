import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { anAccount } from '../factories/account.js';
import { anAssistant } from '../factories/assistant.js';
import { until } from '../support/until.js';

/** From a campaign to a delivered webhook, as a client sees it. */
interface Call {
  id: number;
  status: string;
  client_phone_number: string;
  transcript: string;
  evaluation: Record<string, unknown>;
  ended_by: string | null;
  total_cost: number;
  webhook_response: Record<string, unknown>;
}

interface Received {
  headers: Record<string, string>;
  body: string;
}

const asked: string[] = [];
const received: Received[] = [];
let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      if (request.method === 'GET') asked.push(request.url ?? '');
      else received.push({ headers: request.headers as Record<string, string>, body });
      response.setHeader('content-type', 'application/json').end('{"available":true,"note":"Room 5"}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => void server.close());

it('calls six leads, uses a tool, evaluates, charges and delivers the webhook', async () => {
  const account = await anAccount();
  const { client } = account;
  const tool = await client.post<{ data: { id: number } }>('/user/tools', {
    name: 'check_availability',
    description: 'Checks whether an appointment is available at the time that the customer asks for.',
    endpoint: `${url}/availability`,
    method: 'GET',
    schema: [{ name: 'time', type: 'string', description: 'The time asked for' }],
  });
  const assistant = await anAssistant(account, {
    assistant_name: 'Ada',
    timezone: 'UTC',
    initial_message: 'Hello {name}, this is {{assistant_name}}.',
    system_prompt: 'You arrange appointments.',
    tool_ids: [tool.body.data.id],
    is_webhook_active: true,
    webhook_url: `${url}/hook`,
    post_call_schema: [
      { name: 'status', type: 'bool', description: 'Whether the customer was reached' },
      { name: 'summary', type: 'string', description: 'What was said' },
    ],
  });
  const campaign = await client.post<{ data: { id: number } }>('/user/campaigns', {
    name: 'Spring',
    assistant_id: assistant,
    max_calls_in_parallel: 6,
  });
  const campaign_id = campaign.body.data.id;
  for (const last of ['0020', '0023', '0025', '0003', '0004', '0005']) {
    await client.post('/user/lead', {
      campaign_id,
      phone_number: `+1500555${last}`,
      variables: { name: 'Grace' },
    });
  }
  const started = await client.post('/user/campaigns/update-status', { campaign_id, action: 'start' });
  expect([started.status, started.body]).toEqual([
    200,
    {
      message: 'Campaign started successfully.',
      success: true,
      data: { campaign_id, status: 'in-progress' },
    },
  ]);

  const calls = await until(async () => {
    const { body } = await client.get<{ data: Call[] }>(`/user/calls?campaign_id=${campaign_id}`);
    const done = body.data.filter(({ status }) => ['completed', 'busy', 'no-answer'].includes(status));
    const told = done.filter(
      (call) => call.status !== 'completed' || call.webhook_response.status_code === 200,
    );
    return told.length === 6 ? told : null;
  });
  const byNumber = (last: string) => calls.find((call) => call.client_phone_number.endsWith(last));
  expect(byNumber('0003')?.status).toBe('busy');
  expect(byNumber('0004')?.status).toBe('no-answer');
  expect(byNumber('0005')).toMatchObject({ status: 'completed', answered_by: 'machine', ended_by: 'system' });
  expect(byNumber('0023')).toMatchObject({ status: 'completed', ended_by: 'customer' });
  expect(byNumber('0020')).toMatchObject({ status: 'completed', answered_by: 'human' });
  expect(byNumber('0020')?.transcript).toMatch(/^AI: .*Hello Grace, this is Ada\.\nCustomer: .+/);
  expect(byNumber('0020')?.evaluation).toMatchObject({ status: true, summary: expect.any(String) });
  expect(byNumber('0023')?.evaluation).toEqual({ status: null, summary: null });
  expect(asked.length).toBeGreaterThan(0);
  expect(byNumber('0025')?.transcript).toContain('Room 5');

  const { body: secret } = await client.get<{ data: { secret: string } }>('/user/webhook-secret');
  const completed = calls.filter(({ status }) => status === 'completed');
  expect(received).toHaveLength(completed.length);
  for (const { headers, body } of received) {
    const payload = new Webhook(secret.data.secret).verify(body, headers) as {
      id: number;
      lead: { id: number };
    };
    expect(headers['webhook-event']).toBe('call.completed');
    expect(completed.map(({ id }) => id)).toContain(payload.id);
    expect(payload.lead.id).toEqual(expect.any(Number));
  }
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(completed.length);

  // A lead is decided on after its call has ended.
  const leads = await until(async () => {
    const { body } = await client.get<{ phone_number: string; status: string }[]>('/user/leads');
    return body.every(({ status }) => status !== 'processing') && body;
  });
  const statuses = Object.fromEntries(
    leads.map(({ phone_number, status }) => [phone_number.slice(-4), status]),
  );
  expect(statuses).toEqual({
    '0020': 'completed',
    '0023': 'completed',
    '0025': 'completed',
    '0005': 'completed',
    '0003': 'rescheduled',
    '0004': 'rescheduled',
  });
  const spent = calls.reduce((sum, call) => sum + call.total_cost, 0);
  const { body: me } = await client.get<{ total_balance: number }>('/user/me');
  expect(me.total_balance).toBeCloseTo(100 - spent, 6);
});
