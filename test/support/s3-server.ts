import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const SIGNED =
  /^AWS4-HMAC-SHA256 Credential=([\w-]+)\/\d{8}\/([\w-]+)\/s3\/aws4_request, ?SignedHeaders=[\w;-]+, ?Signature=[0-9a-f]{64}$/;

/** The part of S3's interface that keeps objects: PUT, GET with a range, DELETE, by path. */
export class S3Server {
  /** By `bucket/key`. */
  readonly objects = new Map<string, { bytes: Buffer; type: string | undefined }>();
  /** Requests that were refused for want of a signature of this access key. */
  unsigned = 0;
  /** Every request is answered as by a server that is overloaded. */
  isOverloaded = false;
  private readonly server = createServer((request, response) => void this.answer(request, response));

  private constructor(
    private readonly accessKeyId: string,
    private readonly region: string,
  ) {}

  static async open(accessKeyId: string, region: string): Promise<S3Server> {
    const s3 = new S3Server(accessKeyId, region);
    await new Promise<void>((resolve) => s3.server.listen(0, '127.0.0.1', resolve));
    return s3;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const name = decodeURIComponent(new URL(request.url ?? '/', this.url).pathname.slice(1));
    const [, key, region] = SIGNED.exec(request.headers.authorization ?? '') ?? [];
    if (key !== this.accessKeyId || region !== this.region) {
      this.unsigned++;
      return refuse(response, 403, 'SignatureDoesNotMatch');
    }
    if (this.isOverloaded) return refuse(response, 503, 'SlowDown');
    if (request.method === 'PUT') {
      const bytes = Buffer.concat(chunks);
      if (request.headers['content-length'] !== String(bytes.length)) {
        return refuse(response, 411, 'MissingContentLength');
      }
      this.objects.set(name, { bytes, type: request.headers['content-type'] });
      response.writeHead(200, { etag: '"1"' }).end();
      return;
    }
    if (request.method === 'DELETE') {
      this.objects.delete(name);
      response.writeHead(204).end();
      return;
    }
    const found = this.objects.get(name);
    if (!found) return refuse(response, 404, 'NoSuchKey');
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const part = first ? found.bytes.subarray(Number(first), Number(last) + 1) : found.bytes;
    const range = first ? { 'content-range': `bytes ${first}-${last}/${found.bytes.length}` } : {};
    response
      .writeHead(first ? 206 : 200, {
        ...range,
        'content-length': part.length,
        'content-type': found.type ?? 'binary/octet-stream',
      })
      .end(part);
  }
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}
