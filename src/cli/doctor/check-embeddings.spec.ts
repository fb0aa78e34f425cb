import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkEmbeddings } from './check-embeddings.js';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function anEndpoint(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const check = (endpoint: string) =>
  checkEmbeddings({ endpoint, apiKey: 'key', model: 'small', dimensions: 0, minSimilarity: 0.4 });

describe('checkEmbeddings', () => {
  it('tells the dimensions of the model', async () => {
    const endpoint = await anEndpoint((_, response) =>
      response.end(JSON.stringify({ data: [{ index: 0, embedding: [0.5, 0.25, 0] }] })),
    );
    const [finding] = await check(endpoint);
    expect(finding).toMatchObject({
      name: 'embeddings',
      what: expect.stringContaining('small: 3 dimensions'),
    });
  });

  it('fails with the status of a refusal', async () => {
    const endpoint = await anEndpoint((_, response) => response.writeHead(401).end('the key is secret'));
    const [finding] = await check(endpoint);
    expect(finding).toMatchObject({ state: 'fail', what: 'The endpoint answers with status 401' });
  });

  it('checks nothing without an endpoint', async () => {
    expect(await checkEmbeddings(null)).toEqual([]);
  });
});
