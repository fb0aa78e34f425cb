import { describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { anAccount } from '../factories/account.js';
import { aWidgetAssistant } from '../factories/conversation.js';
import { baseUrl } from '../support/client.js';

const MAX_GZIPPED_BYTES = 30 * 1024;

describe('embed.js', () => {
  it('is one small script for pages of every origin', async () => {
    const answer = await fetch(`${baseUrl()}/embed.js`);
    const text = await answer.text();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/javascript; charset=utf-8',
    ]);
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(gzipSync(text).length).toBeLessThan(MAX_GZIPPED_BYTES);
    expect(text).toContain('"./api"');
    expect(text).not.toMatch(/\beval\(|new Function|cookie|localStorage|%API_PATH%/);
  });

  it('is not downloaded again while it is the same', async () => {
    const first = await fetch(`${baseUrl()}/embed.js`);
    await first.arrayBuffer();
    const etag = first.headers.get('etag') ?? '';
    const { status } = await fetch(`${baseUrl()}/embed.js`, { headers: { 'If-None-Match': etag } });
    expect(status).toBe(304);
  });
});

describe('a preview', () => {
  it('exists for assistants whose widget is enabled, with its own scripts only', async () => {
    const account = await anAccount();
    const { uuid } = await aWidgetAssistant(account, { widget_settings: { enabled: true } });
    const page = await fetch(`${baseUrl()}/widget-preview/${uuid}`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self';");
    expect(await page.text()).toContain(`data-assistant-id="${uuid}"`);
    const off = await aWidgetAssistant(account, { widget_settings: {} });
    for (const other of [off.uuid, '3f0c6f0e-2c55-4b0e-9f0b-6f2f3d6a1c11', 'x', '%22%3E']) {
      const answer = await fetch(`${baseUrl()}/widget-preview/${other}`);
      expect([other, answer.status, await answer.json()]).toEqual([other, 404, { message: 'Not Found' }]);
    }
  });

  it('may begin calls, being the service itself', async () => {
    const account = await anAccount();
    const { id, uuid } = await aWidgetAssistant(account, { widget_settings: { enabled: true } });
    const begin = (origin: string) =>
      fetch(`${baseUrl()}/api/web-calls`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Origin: origin },
        body: JSON.stringify({ assistant_id: uuid }),
      });
    expect((await begin(baseUrl())).status).toBe(200);
    expect((await begin('http://127.0.0.1:1')).status).toBe(403);
    await account.client.put(`/user/assistant/${id}`, { widget_settings: { enabled: false } });
    expect((await begin(baseUrl())).status).toBe(403);
  });
});
