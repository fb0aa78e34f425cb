import type { ModelTool, ModelToolCall, ModelUsage } from '../llm/language-model.js';
import type { AudioFormat } from '#src/modules/media/audio-line.js';

/** When the customer's turn is over: after silence (milliseconds), or when a model finds the sentence complete. */
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
  /** BCP 47; what the customer says is transcribed in it. */
  language: string;
  reducesNoise: boolean;
  turnDetection: TurnDetection;
}

/**
 * What the model reports. `response` is the name under which a response was asked for, `itemId` the provider's id of
 * an item of its conversation.
 *
 * `speech`: the customer begins or stops to speak. `words`: a piece of the customer's words, as they are transcribed.
 * `heard`: all of them; null when they could not be transcribed. `audio`, `transcript`: what the model says, in pieces
 * that need not go together. `call`: a complete call of a tool. `done`: the response has ended. `refused`: it was not
 * begun, with `isBusy` because another one is active. `closed`: the connection is gone, and was not closed by us.
 */
export type RealtimeEvent =
  | { kind: 'speech'; itemId: string; on: boolean }
  | { kind: 'words'; itemId: string; text: string }
  | { kind: 'heard'; itemId: string; text: string | null }
  | { kind: 'audio'; response: string; itemId: string; audio: Buffer }
  | { kind: 'transcript'; response: string; itemId: string; text: string }
  | { kind: 'call'; response: string; itemId: string; call: ModelToolCall }
  | {
      kind: 'done';
      response: string;
      status: 'completed' | 'cancelled' | 'incomplete' | 'failed';
      usage: ModelUsage | null;
    }
  | { kind: 'refused'; response: string; isBusy: boolean }
  | { kind: 'closed' };

/** An item that is written into the model's conversation; `id` is ours, at most 32 characters. */
export type RealtimeItem = { id: string } & (
  | { kind: 'said'; by: 'customer' | 'assistant'; text: string }
  | { kind: 'call'; call: ModelToolCall }
  | { kind: 'output'; callId: string; text: string }
);

/** `sentence`: the model says exactly this, and its conversation does not get it. */
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
  /** What the customer says, in the format of the session. */
  append(audio: Buffer): void;
  instruct(instructions: string, tools: readonly ModelTool[]): void;
  /** @param language BCP 47, in which the customer's words are transcribed from now on */
  listenIn(language: string): void;
  /** @param after id of the item that it follows; null: the first; undefined: it is added at the end */
  add(item: RealtimeItem, after?: string | null): void;
  /** Forgets the audio of an answer after this time, and the words that were not spoken by then. */
  truncate(itemId: string, endMs: number): void;
  /** Asks for a response. One answer at a time; sentences may be asked for beside it. */
  respond(request: RealtimeRequest): void;
  /** Stops a response that has not ended. */
  cancel(response: string): void;
  close(): void;
}

/** A model that hears and speaks. */
export abstract class RealtimeModel {
  /**
   * Opens a session within 5 s.
   *
   * @param onEvent receives what the model reports
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
