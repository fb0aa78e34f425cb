import { STAMP_CHARACTERS } from './frame-times.js';

/** 20 ms of µ-law audio at 8 kHz, and of 16-bit audio at 24 kHz. */
export const ULAW_FRAME_BYTES = 160;
export const PCM_FRAME_BYTES = 960;
export const FRAME_MS = 20;
/** The audio after the stamp. */
const restOf = (bytes: number): string =>
  Buffer.alloc(bytes, 0x55).toString('base64').slice(STAMP_CHARACTERS);
const ULAW_REST = restOf(ULAW_FRAME_BYTES);

const PAYLOAD = '"payload":"';
const APPENDED = '"audio":"';
const DELTA = '"delta":"';

/** A frame of the carrier's media stream. @param audio in base64 @param at number of the frame */
export const mediaFrameOf = (audio: string, at: number): string =>
  `{"event":"media","sequenceNumber":"${at + 2}","media":{"track":"inbound","chunk":"${at + 1}","timestamp":"${at * FRAME_MS}","${PAYLOAD.slice(1)}${audio}"},"streamSid":"MZ1"}`;

/** The same with a stamp. */
export const mediaFrame = (stamp: string, at: number): string => mediaFrameOf(stamp + ULAW_REST, at);

/** A frame of a browser's audio. */
export const pcmFrame = (stamp: string): Buffer => {
  const frame = Buffer.alloc(PCM_FRAME_BYTES, 0x55);
  frame.write(stamp, 'base64');
  return frame;
};

/** A piece of the realtime model's speech. @param bytes of its audio */
export const deltaFrame = (bytes: number, response: string): ((stamp: string) => string) => {
  const rest = restOf(bytes);
  return (stamp) =>
    `{"type":"response.output_audio.delta","event_id":"event_1","response_id":"${response}","item_id":"item_1","output_index":0,"content_index":0,${DELTA}${stamp}${rest}"}`;
};

/** Position of the audio in a frame of any of these kinds; -1: a frame without audio. */
export function audioAt(text: string): number {
  for (const name of [PAYLOAD, APPENDED, DELTA]) {
    const at = text.indexOf(name);
    if (at >= 0) return at + name.length;
  }
  return -1;
}
