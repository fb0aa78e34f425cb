/** Planted defect: a reconnected stream begins with an event that its reader has received. */
import { LiveEventStream } from '#src/modules/calls/live/live-event-stream.js';

const { startAfter } = LiveEventStream.prototype;
LiveEventStream.prototype.startAfter = function (after, progress) {
  startAfter.call(this, Math.max(0, after - 1), progress);
};
