import { describe, expect, it } from '@jest/globals';
import { Ajv2019 as Ajv } from 'ajv/dist/2019.js';
import { baseUrl } from '../support/client.js';
import { openApi, toJsonSchema, type Schema } from '../support/contract.js';
import { headOf, sendRaw } from '../support/raw-http.js';

describe('the documentation', () => {
  it('refuses a body with the documented error', async () => {
    const body = '{}';
    const { status, body: refusal } = await sendRaw(
      `${headOf('GET /docs-yaml').trimEnd()}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    expect([status, refusal]).toEqual([415, { message: 'Unsupported Media Type' }]);
  });

  it('serves its own files and nothing else', async () => {
    for (const path of ['/docs', '/docs/', '/docs/swagger-ui.css', '/docs/swagger-ui-init.js']) {
      const answer = await fetch(baseUrl() + path);
      await answer.arrayBuffer();
      expect([path, answer.status]).toEqual([path, 200]);
    }
    for (const path of [
      '/docs/../package.json',
      '/docs/%2e%2e/package.json',
      '/docs//etc/passwd',
      '/docs/LICENSE',
    ]) {
      const { status, body } = await sendRaw(headOf(`GET ${path}`));
      expect([path, status, body]).toEqual([path, 404, { message: 'Not Found' }]);
    }
  });

  it('is linked from a page at / for browsers; other clients get a 404', async () => {
    const page = await fetch(`${baseUrl()}/`, { headers: { accept: 'text/html,application/xhtml+xml' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await page.text()).toMatch(/href="[^"]*\/docs"/);
    for (const accept of ['*/*', 'application/json']) {
      const { status, body } = await sendRaw(headOf('GET /', { accept }));
      expect([accept, status, body]).toEqual([accept, 404, { message: 'Not Found' }]);
    }
  });

  it('is rendered once', async () => {
    const cpuSeconds = async (): Promise<number> => {
      const text = await (await fetch(`${baseUrl()}/metrics`)).text();
      return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1]);
    };
    const first = await fetch(`${baseUrl()}/docs-yaml`);
    const etag = first.headers.get('etag') ?? '';
    expect(await first.text()).toMatch(/^openapi: 3/);
    const before = await cpuSeconds();
    for (let count = 0; count < 60; count++) await (await fetch(`${baseUrl()}/docs-yaml`)).arrayBuffer();
    expect((await cpuSeconds()) - before).toBeLessThan(1);
    const known = await fetch(`${baseUrl()}/docs-yaml`, { headers: { 'If-None-Match': etag } });
    expect(known.status).toBe(304);
  });

  it('is compressed for clients that accept gzip, with an ETag of its own', async () => {
    const documentFor = async (encoding: string) => {
      const answer = await fetch(`${baseUrl()}/docs-json`, { headers: { 'accept-encoding': encoding } });
      return { headers: answer.headers, text: await answer.text() };
    };
    const plain = await documentFor('gzip;q=0, br');
    const packed = await documentFor('br, gzip;q=0.5');
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(packed.headers.get('vary')).toMatch(/accept-encoding/i);
    expect(packed.text).toBe(plain.text);
    const [size = 0, packedSize = 0] = [plain, packed].map(({ headers }) =>
      Number(headers.get('content-length')),
    );
    expect(packedSize).toBeLessThan(size / 4);
    const statuses = await Promise.all(
      [packed, plain].map(async ({ headers }) => {
        const known = { 'accept-encoding': 'gzip', 'if-none-match': headers.get('etag') ?? '' };
        return (await fetch(`${baseUrl()}/docs-json`, { headers: known })).status;
      }),
    );
    expect(statuses).toEqual([304, 200]);
  });

  it('describes every response and body with a valid schema, by which tests judge responses', async () => {
    const document = await openApi();
    const ajv = new Ajv({ strict: false, allErrors: true });
    const contents = Object.values(document.paths)
      .flatMap((operations) => Object.values(operations))
      .flatMap(({ requestBody, responses }) => [requestBody, ...Object.values(responses)]);
    const schemas = contents.flatMap((described) => described?.content?.['application/json']?.schema ?? []);
    expect(schemas.length).toBeGreaterThan(100);
    const wrong = schemas.filter((schema) => !ajv.validateSchema(toJsonSchema(schema, document) as Schema));
    expect(wrong).toEqual([]);
  });

  it('runs its own scripts only and cannot be framed', async () => {
    const { headers } = await fetch(`${baseUrl()}/docs`);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers.get('x-frame-options')).toBe('DENY');
    const board = await fetch(`${baseUrl()}/admin/queues`);
    if (board.status !== 404)
      expect(board.headers.get('content-security-policy')).toContain("script-src 'self';");
  });
});

it('sends nosniff on every route', async () => {
  for (const path of [
    '/docs',
    '/docs-json',
    '/health/live',
    '/metrics',
    '/api/user/me',
    '/nothing',
    '/%zz',
  ]) {
    expect([path, (await sendRaw(headOf(`GET ${path}`))).headers['x-content-type-options']]).toEqual([
      path,
      'nosniff',
    ]);
  }
});

it('returns an error of the contract for a request without Host', async () => {
  const { status, body } = await sendRaw('GET /health/live HTTP/1.1\r\n\r\n');
  expect([status, body]).toEqual([400, { message: 'Bad Request' }]);
});
