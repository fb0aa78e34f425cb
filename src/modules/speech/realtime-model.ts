import type { ModelTool, ModelToolCall, ModelUsage } from '../llm/language-model.js';
import type { AudioFormat } from '#src/modules/media/audio-line.js';

/** What ends the customer's turn: silence (milliseconds), or a model that finds the sentence complete. */
export type TurnDetection =
  | { by: 'silence'; silenceMs: number; /** 0–1: how loud speech has to be */ threshold: number }
  | { by: 'meaning'; eagerness: 'low' | 'medium' | 'high' };

/** Settings of one session, which listens and speaks in one audio format. */
export interface RealtimeSettings {
  /** Its name in the catalogue. */
  model: string;
  format: AudioFormat;
  /** The provider's name of the voice; null: the provider's default. */
  voice: string | null;
  /** 1 is normal. */
  speed: number;
  /** BCP 47, of the transcription of the customer's speech. */
  language: string;
  reducesNoise: boolean;
  turnDetection: TurnDetection;
}

/**
 * Events of a session. `response` is the name of a requested response, `itemId` the provider's id of an item of its
 * conversation.
 *
 * `speech`: the customer begins or stops to speak. `committed`: the audio of the speech is in the conversation.
 * `words`: a piece of the transcript of the customer's words. `heard`: all of them; null without a transcript.
 * `audio`, `transcript`: pieces of the model's speech and of its text, independent of each other. `call`: a complete
 * call of a tool. `progress`: a part of the response begins, goes on or ends. `done`: the response has ended. `refused`: it was not started, with `isBusy` because another one is
 * active. `closed`: the connection was lost or closed by the provider.
 */
export type RealtimeEvent =
  | { kind: 'speech'; itemId: string; on: boolean }
  | { kind: 'committed'; itemId: string }
  | { kind: 'words'; itemId: string; text: string }
  | { kind: 'heard'; itemId: string; text: string | null }
  | { kind: 'audio'; response: string; itemId: string; audio: Buffer }
  | { kind: 'transcript'; response: string; itemId: string; text: string }
  | { kind: 'call'; response: string; itemId: string; call: ModelToolCall }
  | { kind: 'progress'; response: string }
  | {
      kind: 'done';
      response: string;
      status: 'completed' | 'cancelled' | 'incomplete' | 'failed';
      usage: ModelUsage | null;
      /** After a rate limit: milliseconds until the provider accepts requests. */
      retryAfterMs?: number;
    }
  | { kind: 'refused'; response: string; isBusy: boolean }
  | { kind: 'closed' };

/** An item that is written into the model's conversation; `id` is ours, at most 32 characters. */
export type RealtimeItem = { id: string } & (
  | { kind: 'said'; by: 'customer' | 'assistant'; text: string }
  | { kind: 'call'; call: ModelToolCall }
  | { kind: 'output'; callId: string; text: string }
);

/** `sentence`: the model speaks exactly this text, outside of its conversation. */
export type RealtimeRequest = { response: string } & (
  | { kind: 'sentence'; text: string }
  | {
      kind: 'answer';
      /** For this response only, in addition to the session's; null: none. */
      instruction: string | null;
      mayCallTools: boolean;
    }
);

/** An open session. Method calls after it closed are ignored. */
export interface RealtimeConnection {
  /** The customer's audio, in the format of the session. */
  appendAudio(audio: Buffer): void;
  /** Ends the customer's turn before the provider does: `committed` follows, unless there is no new audio. */
  commitAudio(): void;
  updateInstructions(instructions: string, tools: readonly ModelTool[]): void;
  /** @param language BCP 47, of the transcription from now on */
  setTranscriptionLanguage(language: string): void;
  /** Changes how the ends of turns are found. */
  setTurnDetection(detection: TurnDetection): void;
  /** @param after id of the preceding item; null: the item becomes the first; undefined: the last */
  addItem(item: RealtimeItem, after?: string | null): void;
  /** Removes the audio of a response after this time, with its transcript, from the model's conversation. */
  truncateItem(itemId: string, endMs: number): void;
  /** Removes an item from the model's conversation. */
  deleteItem(itemId: string): void;
  /** Requests a response. One `answer` at a time; `sentence` responses may run beside it. */
  createResponse(request: RealtimeRequest): void;
  /** Stops a response that has not ended. */
  cancelResponse(response: string): void;
  close(): void;
}

/** A model that hears and speaks. */
export abstract class RealtimeModel {
  /**
   * Opens a session within 2 s.
   *
   * @param onEvent receives the events of the session
   * @throws RealtimeModelError when the endpoint cannot be reached, or refuses the session
   */
  abstract connect(
    settings: RealtimeSettings,
    onEvent: (event: RealtimeEvent) => void,
  ): Promise<RealtimeConnection>;
}

/** The message names no prompt and no words of a call, so it may be logged. */
export class RealtimeModelError extends Error {
  override readonly name = 'RealtimeModelError';
}
