import { connect } from 'node:net';
import { baseUrl } from './client-base.js';

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
  /** The parsed body; null when it is no JSON. */
  body: unknown;
}

/** Sends the bytes as they are and reads one answer, whether or not the connection stays open behind it. */
export function sendRaw(text: string, url = baseUrl()): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let received = '';
    const finish = (): void => {
      const answer = parse(received);
      socket.destroy();
      if (answer) resolve(answer);
      else reject(new Error(`no whole answer: ${received.slice(0, 500)}`));
    };
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (isWhole(received)) finish();
    });
    socket.on('error', reject);
    socket.on('close', finish);
  });
}

/** A request whose head announces more body than is sent. */
export const headOf = (request: string, headers: Record<string, string | number> = {}): string =>
  [
    `${request} HTTP/1.1`,
    'Host: localhost',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n');

function isWhole(received: string): boolean {
  const end = received.indexOf('\r\n\r\n');
  const length = /\r\ncontent-length: (\d+)/i.exec(received)?.[1];
  return end !== -1 && length !== undefined && received.length >= end + 4 + Number(length);
}

function parse(received: string): RawAnswer | null {
  const [head = '', ...rest] = received.split('\r\n\r\n');
  const [line = '', ...lines] = head.split('\r\n');
  const status = Number(line.split(' ')[1]);
  if (!status) return null;
  const headers = lines.map((header) => {
    const [name = '', ...value] = header.split(':');
    return [name.toLowerCase(), value.join(':').trim()];
  });
  const text = rest.join('\r\n\r\n');
  return { status, headers: Object.fromEntries(headers), text, body: jsonOf(text) };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
