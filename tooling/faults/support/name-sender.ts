/**
 * Loaded into the service with `node --import`: adds a header with the process id to every outbound request.
 */
import { subscribe } from 'node:diagnostics_channel';
import { SENDER_HEADER } from './sender-header.js';

interface RequestCreated {
  request: { addHeader(name: string, value: string): void };
}

subscribe('undici:request:create', (message) => {
  (message as RequestCreated).request.addHeader(SENDER_HEADER, String(process.pid));
});
