/** What an operator decides about requests to URLs that users named. */
export abstract class OutboundHttpSettings {
  /** CIDR ranges that may be reached although they are not public, e.g. `127.0.0.0/8`. */
  abstract readonly allowCidrs: string[];
  abstract readonly userAgent: string;
}
