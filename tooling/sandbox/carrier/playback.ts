import type { ClockSpeed, Timer } from '../clock-speed.js';

/** Speaking rate of both sides, like people's: milliseconds of simulated time for a character. */
export const MS_PER_CHARACTER = 60;
/** Real milliseconds after which a turn without `last` counts as complete. */
const STALL_MS = 3_000;

/** Causes that may interrupt a turn: keys of the phone, a voice, both or none. */
export type Interruptible = 'none' | 'dtmf' | 'speech' | 'any';

export interface TurnOptions {
  interruptible: Interruptible;
  preemptible: boolean;
}

export interface PlaybackListener {
  started(): void;
  ended(speech: PlayedSpeech): void;
}

/** The result of a turn. */
export interface PlayedSpeech {
  /** Exactly the characters that were played. */
  played: string;
  /** The same up to the last whole word: the carrier's report. */
  heard: string;
  /** False for an interrupted turn. */
  whole: boolean;
  /** Of interrupted speech on an audio line: maximum delay of the stop command on this side. */
  lateMs?: number;
}

interface Turn extends TurnOptions {
  text: string;
  complete: boolean;
  playedCharacters: number;
  startedAt: number;
  playedUntil: number;
}

/**
 * Plays the assistant's speech, in simulated time. Uses one timer per turn, not per token: the heard part is computed
 * from the clock on request.
 */
export class Playback {
  private readonly turns: Turn[] = [];
  private timer: Timer | undefined;
  /** After an interruption the rest of that turn is discarded until its `last`. */
  private discarding = false;

  constructor(
    private readonly clockSpeed: ClockSpeed,
    private readonly listener: PlaybackListener,
  ) {}

  get playing(): boolean {
    return this.turns.length > 0;
  }

  add(token: string, last: boolean, options: TurnOptions): void {
    if (this.discarding) {
      if (last) this.discarding = false;
      return;
    }
    const open = this.turns.at(-1);
    if (open !== undefined && !open.complete) this.extend(open, token, last);
    else if (token !== '') this.open(token, last, options);
  }

  /**
   * Interrupts the playback. Null without playback; `protected` when this turn cannot be interrupted by this cause.
   */
  interrupt(by: 'speech' | 'dtmf'): { heard: string; afterMs: number } | 'protected' | null {
    const turn = this.turns[0];
    if (turn === undefined) return null;
    if (turn.interruptible !== 'any' && turn.interruptible !== by) return 'protected';
    const afterMs = Math.round(this.clockSpeed.now() - turn.startedAt);
    const heard = this.cut(turn);
    return { heard, afterMs };
  }

  /** The session has ended: the audio played until now counts as heard. */
  stop(): void {
    this.timer?.clear();
    const turn = this.turns[0];
    if (turn !== undefined) this.cut(turn);
  }

  private open(token: string, complete: boolean, options: TurnOptions): void {
    const playing = this.turns[0];
    if (playing?.preemptible) this.cut(playing);
    const now = this.clockSpeed.now();
    this.turns.push({
      ...options,
      text: token,
      complete,
      playedCharacters: 0,
      startedAt: now,
      playedUntil: now,
    });
    if (this.turns.length === 1) this.start();
  }

  private extend(turn: Turn, token: string, last: boolean): void {
    this.advance(turn);
    turn.text += token;
    turn.complete = last;
    if (last && turn === this.turns[0]) this.schedule(turn);
  }

  private start(): void {
    const turn = this.turns[0];
    if (turn === undefined) return;
    turn.startedAt = turn.playedUntil = this.clockSpeed.now();
    this.listener.started();
    this.schedule(turn);
  }

  private schedule(turn: Turn): void {
    this.timer?.clear();
    const stall = turn.complete ? 0 : STALL_MS;
    const { length } = turn.text;
    this.timer = this.clockSpeed.after(this.remainingMs(turn) + stall, () => this.due(turn, length));
  }

  private due(turn: Turn, textLength: number): void {
    this.advance(turn);
    const grew = turn.text.length !== textLength;
    if (!turn.complete && grew) return this.schedule(turn);
    this.turns.shift();
    this.listener.ended({ played: turn.text, heard: turn.text, whole: true });
    this.start();
  }

  private cut(turn: Turn): string {
    this.timer?.clear();
    this.advance(turn);
    this.discarding = !(this.turns.at(-1)?.complete ?? true);
    this.turns.length = 0;
    const characters = Math.floor(turn.playedCharacters);
    const heard = upToWholeWord(turn.text, characters);
    this.listener.ended({ played: turn.text.slice(0, characters), heard, whole: false });
    return heard;
  }

  /** Speech cannot precede its text: time without text from the model is not played. */
  private advance(turn: Turn): void {
    const now = this.clockSpeed.now();
    const said = (now - turn.playedUntil) / this.clockSpeed.real(MS_PER_CHARACTER);
    turn.playedCharacters = Math.min(turn.text.length, turn.playedCharacters + said);
    turn.playedUntil = now;
  }

  private remainingMs(turn: Turn): number {
    return this.clockSpeed.real((turn.text.length - turn.playedCharacters) * MS_PER_CHARACTER);
  }
}

function upToWholeWord(text: string, characters: number): string {
  if (characters >= text.length) return text;
  const head = text.slice(0, characters);
  return /\s/.test(text.charAt(characters)) ? head : head.replace(/\S*$/, '').trimEnd();
}
