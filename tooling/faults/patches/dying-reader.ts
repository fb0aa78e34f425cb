/** Planted defect for `fuzz`: an event of the realtime model without a response id ends the process. */
import 'reflect-metadata';
import { RealtimeEventReader } from '#src/modules/speech/openai-realtime/realtime-messages.js';

const { readEvent: read } = RealtimeEventReader.prototype;
RealtimeEventReader.prototype.readEvent = function (event) {
  if (event['type'] === 'response.created' && !event['response']) throw new TypeError('planted');
  return read.call(this, event);
};
