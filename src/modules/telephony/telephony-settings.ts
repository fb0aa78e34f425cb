/**
 * Where the carrier is and where it finds us. Read at every use, so that an address which is known only
 * once a port is bound may be filled in late.
 */
export abstract class TelephonySettings {
  abstract readonly accountSid: string;
  abstract readonly authToken: string;
  /** Base URL of another carrier with the same interface; null for the carrier's own. */
  abstract readonly apiUrl: string | null;
  /** Base URL under which the carrier reaches this service, e.g. `https://calls.example.com`. */
  abstract readonly publicUrl: string;
}
