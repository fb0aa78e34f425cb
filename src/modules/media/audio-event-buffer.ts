import type { AudioLineEvent } from './audio-line.js';

/** Ten seconds of audio. */
const MAX_EVENTS = 500;

/** Buffers the events of an audio line until its listener is set. Over 500 the oldest are dropped, audio first. */
export class AudioEventBuffer {
  private events: AudioLineEvent[] = [];

  add(event: AudioLineEvent): void {
    this.events.push(event);
    if (this.events.length <= MAX_EVENTS) return;
    const oldest = this.events.findIndex(({ kind }) => kind === 'audio');
    this.events.splice(Math.max(0, oldest), 1);
  }

  take(): AudioLineEvent[] {
    const { events } = this;
    this.events = [];
    return events;
  }
}
