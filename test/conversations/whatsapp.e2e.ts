import { beforeAll, describe, expect, it } from '@jest/globals';
import { anAccount, type TestAccount } from '../factories/account.js';

describe('WhatsApp without a provider', () => {
  let account: TestAccount;
  const sender = 4711;
  const message = 'Sender not found';
  const notFound = { message, success: false, error: message, error_code: 'SENDER_NOT_FOUND' };

  beforeAll(async () => void (account = await anAccount()));

  it('has no senders', async () => {
    for (const query of ['', '?status=online', '?status=all', '?status=']) {
      const { status, body } = await account.client.get(`/user/whatsapp/senders${query}`);
      expect([status, body]).toEqual([200, { data: [] }]);
    }
    expect((await account.client.get('/user/whatsapp/senders?status=x')).status).toBe(422);
  });

  it('finds no sender for anything else', async () => {
    const phone = { recipient_phone: '+15005550020' };
    const requests: [string, object?][] = [
      [`/user/whatsapp/senders/${sender}/templates`],
      [`/user/whatsapp/senders/abc/templates?status=approved`],
      [`/user/whatsapp/session-status?sender_id=${sender}&recipient_phone=%2B15005550020`],
      ['/user/whatsapp/send', { sender_id: sender, template_id: 1, ...phone }],
      ['/user/whatsapp/send', { sender_id: String(sender), template_id: '7', variables: [], ...phone }],
      ['/user/whatsapp/send-freeform', { sender_id: sender, message: 'x'.repeat(4096), ...phone }],
    ];
    for (const [path, body] of requests) {
      const answer = await (body ? account.client.post(path, body) : account.client.get(path));
      expect([path, answer.status, answer.body]).toEqual([path, 404, notFound]);
    }
  });

  it.each([
    ['/user/whatsapp/session-status', undefined, ['sender_id', 'recipient_phone']],
    ['/user/whatsapp/send', {}, ['template_id', 'sender_id', 'recipient_phone']],
    ['/user/whatsapp/send-freeform', { sender_id: 1, recipient_phone: '1' }, ['message']],
    [
      '/user/whatsapp/send-freeform',
      { sender_id: 1, recipient_phone: '1', message: 'x'.repeat(4097) },
      ['message'],
    ],
  ])('refuses what is missing or wrong in %s', async (path, body, fields) => {
    const answer = await (body
      ? account.client.post<{ errors: object }>(path, body)
      : account.client.get<{ errors: object }>(path));
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, fields]);
  });
});
