/** Planted defect for `fuzz`: an event of the realtime model that names no response ends the process. */
import 'reflect-metadata';
import { RealtimeEventReader } from '#src/modules/speech/openai-realtime/realtime-messages.js';

const { read } = RealtimeEventReader.prototype;
RealtimeEventReader.prototype.read = function (event) {
  if (event['type'] === 'response.created' && !event['response']) throw new TypeError('planted');
  return read.call(this, event);
};
