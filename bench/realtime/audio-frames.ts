import { STAMP_CHARACTERS } from './frame-times.js';

/** 20 ms of µ-law audio. */
const FRAME_BYTES = 160;
export const FRAME_MS = 20;
const REST = Buffer.alloc(FRAME_BYTES, 0x55).toString('base64').slice(STAMP_CHARACTERS);

const PAYLOAD = '"payload":"';
const APPENDED = '"audio":"';
const DELTA = '"delta":"';

/** A frame of the carrier's media stream. @param at number of the frame */
export const mediaFrame = (stamp: string, at: number): string =>
  `{"event":"media","sequenceNumber":"${at + 2}","media":{"track":"inbound","chunk":"${at + 1}","timestamp":"${at * FRAME_MS}","${PAYLOAD.slice(1)}${stamp}${REST}"},"streamSid":"MZ1"}`;

/** A piece of what the realtime model says. */
export const deltaFrame = (stamp: string, response: string): string =>
  `{"type":"response.output_audio.delta","event_id":"event_1","response_id":"${response}","item_id":"item_1","output_index":0,"content_index":0,${DELTA}${stamp}${REST}"}`;

/** Where the audio of a frame begins, whichever of these it is; -1: it carries none. */
export function audioAt(text: string): number {
  for (const name of [PAYLOAD, APPENDED, DELTA]) {
    const at = text.indexOf(name);
    if (at >= 0) return at + name.length;
  }
  return -1;
}
