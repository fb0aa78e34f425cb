/** Planted defect: a reconnected stream omits numbers after the last id. */
import { LiveEventStream } from '#src/modules/calls/live/live-event-stream.js';

const SKIPPED = 3;

const { startAfter } = LiveEventStream.prototype;
LiveEventStream.prototype.startAfter = function (after, progress) {
  startAfter.call(this, after === 0 ? 0 : after + SKIPPED, progress);
};
