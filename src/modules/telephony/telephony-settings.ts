/**
 * Addresses of the carrier and of this service. Read at every use, because `publicUrl` may be known only after a port
 * is bound.
 */
export abstract class TelephonySettings {
  abstract readonly accountSid: string;
  abstract readonly authToken: string;
  /** Base URL of another carrier with the same interface; null for the carrier's own. */
  abstract readonly apiUrl: string | null;
  /** Base URL under which the carrier reaches this service, e.g. `https://calls.example.com`. */
  abstract readonly publicUrl: string;
}
