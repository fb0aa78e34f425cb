import { Injectable } from '@nestjs/common';
import { TelephonySettings } from '../telephony-settings.js';

/** URLs for the carrier's callbacks. The token in the path identifies the call. */
@Injectable()
export class TwilioUrlsService {
  constructor(private readonly settings: TelephonySettings) {}

  readonly answer = (token: string): string => this.of('answer', token);
  readonly status = (token: string): string => this.of('status', token);
  readonly machineDetection = (token: string): string => this.of('amd', token);
  readonly action = (token: string): string => this.of('action', token);
  readonly recording = (token: string): string => this.of('recording', token);
  readonly messageStatus = (token: string): string => this.of('sms-status', token);

  /** The token is in the path because the carrier drops a socket's query string. */
  readonly relay = (token: string): string => this.socketUrl(`/telephony/relay/${encodeURIComponent(token)}`);

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
