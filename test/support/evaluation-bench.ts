import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CarrierBench } from './carrier-bench.js';

/** A service with a proxy in front of carrier and model: it counts requests for evaluations, and withholds prices. */
export class EvaluationBench {
  evaluations = 0;
  priceRequests = 0;
  /** So many requests for a price get none. */
  unpriced = 0;
  /** Requests for a price get no answer. */
  isPriceHeld = false;
  private sandboxUrl = '';
  private carrier: CarrierBench | null = null;
  private readonly proxy: Server = createServer((request, response) => {
    this.answer(request, response).catch(() => response.destroy());
  });

  static async start(): Promise<EvaluationBench> {
    const bench = new EvaluationBench();
    bench.proxy.listen(0, '127.0.0.1');
    await once(bench.proxy, 'listening');
    const url = `http://127.0.0.1:${(bench.proxy.address() as AddressInfo).port}`;
    const behindProxy = async (sandboxUrl: string) => {
      bench.sandboxUrl = sandboxUrl;
      return url;
    };
    bench.carrier = await CarrierBench.start(behindProxy, 80, { LLM_BASE_URL: `${url}/v1` });
    return bench;
  }

  get service(): CarrierBench {
    if (!this.carrier) throw new Error('the service was not started');
    return this.carrier;
  }

  async stop(): Promise<void> {
    await this.carrier?.stop();
    this.proxy.closeAllConnections();
    this.proxy.close();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '' } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    if (url.endsWith('/chat/completions') && body.includes('call_evaluation')) this.evaluations++;
    const isPrice = method === 'GET' && /\/Calls\/CA\w+\.json/.test(url);
    if (isPrice) this.priceRequests++;
    if (isPrice && this.isPriceHeld) return;
    const isHidden = isPrice && this.priceRequests <= this.unpriced;
    const { host: _host, 'content-length': _length, ...headers } = request.headers;
    const answer = await fetch(this.sandboxUrl + url, {
      method,
      headers: headers as Record<string, string>,
      ...(body && { body }),
    });
    const text = await answer.text();
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(isHidden ? JSON.stringify({ ...(JSON.parse(text) as object), price: null }) : text);
  }
}

/** A callee who talks. */
export const POLITE = '+15005550020';
