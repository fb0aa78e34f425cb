import { Injectable } from '@nestjs/common';
import { TelephonySettings } from '../telephony-settings.js';
import { toSessionBreaksQuery, type SessionBreaks } from './session-breaks.js';

/**
 * The carrier's connection overrides in the fragment of a URL: up to five retries for any reason, which cover the
 * restart of a process. Its time limit for all of them stays at 15 s.
 */
const PATIENT = '#rc=5&rp=all';

/** URLs for the carrier's callbacks. The token in the path identifies the call. */
@Injectable()
export class TwilioUrlsService {
  constructor(private readonly settings: TelephonySettings) {}

  readonly answer = (token: string): string => this.of('answer', token) + PATIENT;
  readonly status = (token: string): string => this.of('status', token);
  readonly machineDetection = (token: string): string => this.of('amd', token);
  readonly action = (token: string, breaks: SessionBreaks): string =>
    this.of('action', token) + toSessionBreaksQuery(breaks) + PATIENT;
  readonly spoken = (token: string): string => this.of('spoken', token) + PATIENT;
  readonly transfer = (token: string, transfer: number, breaks: SessionBreaks): string =>
    `${this.of('transfer', token)}/${transfer}${toSessionBreaksQuery(breaks)}${PATIENT}`;
  readonly transferStatus = (token: string, transfer: number): string =>
    `${this.of('transfer-status', token)}/${transfer}`;
  readonly recording = (token: string): string => this.of('recording', token);
  readonly messageStatus = (token: string): string => this.of('sms-status', token);

  /** The URLs of a number at the carrier, by the names of its API. */
  get numberUrls(): Record<'voiceUrl' | 'voiceFallbackUrl' | 'statusCallback' | 'smsUrl', string> {
    const base = `${this.base()}/telephony`;
    return {
      voiceUrl: `${base}/incoming${PATIENT}`,
      voiceFallbackUrl: `${base}/incoming`,
      statusCallback: `${base}/status`,
      smsUrl: `${base}/incoming-sms`,
    };
  }

  /**
   * The token is in the path because the carrier drops a socket's query string. When a session broke, the time of its
   * successor's document follows: so that the carrier's second socket of one document differs from the first one of
   * the next.
   */
  readonly relay = (token: string, { resumedAt }: SessionBreaks): string =>
    this.socketUrl(['/telephony/relay', encodeURIComponent(token), ...resumedAt.slice(-1)].join('/'));
  readonly stream = (token: string, { resumedAt }: SessionBreaks): string =>
    this.socketUrl(['/telephony/stream', encodeURIComponent(token), ...resumedAt.slice(-1)].join('/'));

  /** The URL that the carrier requested: behind a proxy the request's host differs. */
  requestUrl(path: string): string {
    return this.base() + path;
  }

  socketUrl(path: string): string {
    return this.base().replace(/^http/, 'ws') + path;
  }

  private of(kind: string, token: string): string {
    return `${this.base()}/telephony/${kind}/${encodeURIComponent(token)}`;
  }

  private base(): string {
    return this.settings.publicUrl.replace(/\/+$/, '');
  }
}
