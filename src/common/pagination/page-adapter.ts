import type { StreamableFile } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyServerOptions } from 'fastify';
import { between, JSON_TYPE, jsonTextOrStream } from '../http/json-stream.js';
import { toEnvelope } from './envelope.js';
import { Page, StreamedPage } from './page.js';

const DATA = '"data":[]';

/**
 * Renders every `Page` and `StreamedPage` that a handler returns as the contract's envelope. Its links begin with
 * `PUBLIC_URL`: headers such as `Host` and `X-Forwarded-Proto` are the caller's. An adapter and no interceptor: where
 * a route has an interceptor, Nest passes its answer through observables, which cost a short GET up to a tenth of its time.
 */
export class PageAdapter extends FastifyAdapter {
  constructor(
    options: FastifyServerOptions,
    private readonly publicUrl: string,
  ) {
    super(options);
  }

  /** @returns what Nest waits for; with an error its filters answer */
  override reply(response: FastifyReply, body: unknown, statusCode?: number): FastifyReply {
    if (body instanceof Page)
      return super.reply(response, toEnvelope(body, this.urlOf(response)), statusCode);
    if (!(body instanceof StreamedPage)) return super.reply(response, body, statusCode);
    const sent = toText(body, this.urlOf(response)).then((text) =>
      super.reply(response.header('content-type', JSON_TYPE), text, statusCode),
    );
    return sent as unknown as FastifyReply;
  }

  /** The request line may hold a whole URL, whose host is the caller's too. */
  private urlOf({ request }: FastifyReply): URL {
    const { pathname, search } = new URL(request.originalUrl, this.publicUrl);
    return new URL(this.publicUrl + pathname + search);
  }
}

function toText({ pieces, count, total, request }: StreamedPage, url: URL): Promise<string | StreamableFile> {
  const envelope = toEnvelope(new Page(Array.from({ length: count }), total, request), url);
  // Only a number stands before it: no text can contain the same.
  const [before = '', ...after] = JSON.stringify({ ...envelope, data: [] }).split(DATA);
  return jsonTextOrStream(between(`${before}"data":[`, pieces, `]${after.join(DATA)}`));
}
