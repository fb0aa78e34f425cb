import { errors } from 'undici';

/** Every way in which an exchange can fail, with the text for it. */
const OUTBOUND_ERRORS = {
  invalid_url: 'The URL is not a plain http or https URL.',
  invalid_request: 'The request has a header or a method that cannot be sent.',
  blocked_address: 'The host has an address that is not public.',
  dns_failure: 'The host name could not be resolved.',
  connect_failure: 'No connection to the host could be made.',
  tls_failure: 'No secure connection to the host could be made.',
  timeout: 'The exchange did not finish in time.',
  reset: 'The connection was closed before the response was complete.',
  header_overflow: 'The response has more headers than are read.',
  protocol_error: 'The response is not valid HTTP.',
  aborted: 'The request was given up.',
  unexpected: 'The request failed.',
} as const;

export type OutboundErrorKind = keyof typeof OUTBOUND_ERRORS;

/** Shown to users instead of these two, which would reveal the names in the operator's network. */
const UNREACHABLE = {
  error: 'unreachable_address',
  message: 'The host has no address that can be reached.',
} as const;
type HiddenKind = 'blocked_address' | 'dns_failure';

/** As the delivery log, the answers to users and the models know it. */
export type PublicErrorKind = Exclude<OutboundErrorKind, HiddenKind> | typeof UNREACHABLE.error;

/** `detail` is a code such as `ECONNREFUSED`: never an address, which would map inner networks for outsiders. */
export class OutboundFailure extends Error {
  constructor(
    readonly kind: OutboundErrorKind,
    detail?: string,
  ) {
    super(detail ? `${OUTBOUND_ERRORS[kind]} (${detail})` : OUTBOUND_ERRORS[kind]);
    this.name = 'OutboundFailure';
  }

  get publicError(): { error: PublicErrorKind; message: string } {
    const { kind, message } = this;
    return kind === 'blocked_address' || kind === 'dns_failure' ? UNREACHABLE : { error: kind, message };
  }
}

const KIND_BY_CODE: Readonly<Record<string, OutboundErrorKind>> = {
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_INFO: 'reset',
  UND_ERR_HEADERS_OVERFLOW: 'header_overflow',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'protocol_error',
  UND_ERR_INVALID_ARG: 'invalid_request',
  UND_ERR_NOT_SUPPORTED: 'invalid_request',
  UND_ERR_ABORTED: 'aborted',
  UND_ERR_CLOSED: 'aborted',
  UND_ERR_DESTROYED: 'aborted',
};

/** Classifies failures of an open connection; the connector classifies its own. */
export function toOutboundFailure(error: unknown): OutboundFailure {
  if (error instanceof OutboundFailure) return error;
  const code = errorCode(error);
  if (error instanceof errors.HTTPParserError) return new OutboundFailure('protocol_error', code);
  return new OutboundFailure((code && KIND_BY_CODE[code]) || 'unexpected', code);
}

export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
