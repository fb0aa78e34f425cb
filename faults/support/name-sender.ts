/**
 * Loaded into the processes of the service before they start (`node --import`): each request that leaves names the
 * process that sent it.
 */
import { subscribe } from 'node:diagnostics_channel';
import { SENDER_HEADER } from './sender-header.js';

interface RequestCreated {
  request: { addHeader(name: string, value: string): void };
}

subscribe('undici:request:create', (message) => {
  (message as RequestCreated).request.addHeader(SENDER_HEADER, String(process.pid));
});
