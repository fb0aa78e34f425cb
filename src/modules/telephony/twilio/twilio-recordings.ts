import { Agent, request, type Dispatcher } from 'undici';
import { resolveRange, rangeHeader, type ByteRange, type BytePart } from '#src/http/byte-range.js';
import { AddressPolicy } from '#src/common/outbound-http/address-policy.js';
import { guardedConnector } from '#src/common/outbound-http/guarded-connector.js';
import { SystemHostResolver } from '#src/common/outbound-http/host-resolver.js';
import type { RecordingAudio } from '../carrier-calls.js';
import { CarrierError } from '../carrier-error.js';
import type { TelephonySettings } from '../telephony-settings.js';

const CARRIER_ORIGIN = 'https://api.twilio.com';
/** `…/Accounts/AC…/Recordings/RE…`, with any version and host. */
const ADDRESS = /\/Accounts\/(\w{1,64})\/Recordings\/(\w{1,64})(?:\.\w{1,5})?$/;
const MAX_REDIRECTS = 3;
const TIMES = { headersTimeout: 10_000, bodyTimeout: 30_000 };
const CONNECT_MS = 5_000;
const REDIRECTS = [301, 302, 303, 307, 308];

type RecordingResponse = Dispatcher.ResponseData;
type Settings = Pick<TelephonySettings, 'accountSid' | 'authToken' | 'apiUrl'>;

interface Options {
  range: ByteRange | null;
  signal: AbortSignal;
}

/** The recording that an address names. Null: it is none of the carrier's. */
export function parseRecordingUrl(address: string): { accountSid: string; sid: string } | null {
  const [, accountSid, sid] = ADDRESS.exec(URL.canParse(address) ? new URL(address).pathname : '') ?? [];
  return accountSid && sid ? { accountSid, sid } : null;
}

/**
 * Downloads recordings. The URL is built from the ids in the reported address, so that no request goes to a host that
 * the settings do not name; the target of a redirect (the carrier may store audio elsewhere) gets no credentials and
 * must be public.
 */
export class TwilioRecordings {
  private readonly own = new Agent({ ...TIMES, connect: { timeout: CONNECT_MS } });
  private readonly elsewhere = new Agent({
    ...TIMES,
    connect: guardedConnector({ policy: new AddressPolicy([]), resolver: new SystemHostResolver() }),
  });

  constructor(private readonly settings: Settings) {}

  /** @throws CarrierError */
  async fetch(address: string, options: Options): Promise<RecordingAudio | { outside: number } | null> {
    const recording = parseRecordingUrl(address);
    if (!recording) return null;
    const base = (this.settings.apiUrl ?? CARRIER_ORIGIN).replace(/\/+$/, '');
    const url = `${base}/2010-04-01/Accounts/${recording.accountSid}/Recordings/${recording.sid}.wav`;
    const answer = await this.follow(new URL(url), options).catch((error: unknown) => {
      throw failed(error);
    });
    try {
      return read(answer, options.range);
    } catch (error) {
      answer.body.on('error', () => undefined).destroy();
      throw failed(error);
    }
  }

  private async follow(first: URL, { range, signal }: Options): Promise<RecordingResponse> {
    let url = first;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const isOwn = url.origin === first.origin;
      const { accountSid, authToken } = this.settings;
      const credentials = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
      const answer = await request(url, {
        dispatcher: isOwn ? this.own : this.elsewhere,
        signal,
        headers: {
          accept: 'audio/*',
          // Lengths and ranges are those of the file.
          'accept-encoding': 'identity',
          ...(range ? { range: rangeHeader(range) } : {}),
          ...(isOwn ? { authorization: `Basic ${credentials}` } : {}),
        },
      });
      if (!REDIRECTS.includes(answer.statusCode)) return answer;
      await answer.body.dump();
      url = new URL(textOf(answer, 'location') ?? '', url);
      if (url.protocol !== 'https:' && url.origin !== first.origin) break;
    }
    throw new Error('The carrier redirects to where no recording may be fetched');
  }
}

function read(
  answer: RecordingResponse,
  range: ByteRange | null,
): RecordingAudio | { outside: number } | null {
  const { statusCode: status, body } = answer;
  if (status === 404 || status === 410 || status === 416) {
    void body.dump().catch(() => undefined);
    return status === 416 ? { outside: totalOf(answer) ?? 0 } : null;
  }
  const contentType = audioType(textOf(answer, 'content-type'));
  if ((status !== 200 && status !== 206) || contentType === null) {
    throw new CarrierError(`The carrier did not deliver the recording (${status})`, 'unknown');
  }
  const part = status === 206 ? sentPart(answer, range) : null;
  return { contentType, total: part ? totalOf(answer) : lengthOf(answer), part, body };
}

function audioType(type: string | null): RecordingAudio['contentType'] | null {
  if (type && /^audio\/(x-)?wav(e)?\b/.test(type)) return 'audio/wav';
  return type && /^audio\/(mpeg|mp3)\b/.test(type) ? 'audio/mpeg' : null;
}

/** From `Content-Range: bytes 0-99/1234`. It must be the requested range, as far as this can be checked. */
function sentPart(answer: RecordingResponse, range: ByteRange | null): BytePart {
  const [, first = '', last = ''] = /^bytes (\d+)-(\d+)\//.exec(textOf(answer, 'content-range') ?? '') ?? [];
  const [sent, total] = [{ first: Number(first), last: Number(last) }, totalOf(answer)];
  const wanted = range && total !== null ? resolveRange(range, total) : null;
  if (first === '' || range === null || (wanted && wanted.first !== sent.first)) {
    throw new CarrierError('The carrier sent another part of the recording', 'unknown');
  }
  return sent;
}

const totalOf = (answer: RecordingResponse): number | null =>
  numberOf(/\/(\d+)$/.exec(textOf(answer, 'content-range') ?? '')?.[1]);

const lengthOf = (answer: RecordingResponse): number | null =>
  numberOf(textOf(answer, 'content-length') ?? undefined);

const numberOf = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;

function textOf({ headers }: RecordingResponse, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
}

const failed = (cause: unknown): CarrierError =>
  cause instanceof CarrierError
    ? cause
    : new CarrierError('The carrier did not deliver the recording', 'unknown', { cause });
