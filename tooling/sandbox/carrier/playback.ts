import type { ClockSpeed, Timer } from '../clock-speed.js';

/** Speaking rate of both sides, as people have it: milliseconds of simulated time for a character. */
export const MS_PER_CHARACTER = 60;
/** Real milliseconds after which a turn that never got its `last` counts as said. */
const STALL_MS = 3_000;

/** Who may cut a turn short: keys of the phone, a voice, both or nobody. */
export type Interruptible = 'none' | 'dtmf' | 'speech' | 'any';

export interface TurnOptions {
  interruptible: Interruptible;
  preemptible: boolean;
}

export interface PlaybackListener {
  started(): void;
  ended(speech: PlayedSpeech): void;
}

/** What became of a turn. */
export interface PlayedSpeech {
  /** Exactly the characters that were played. */
  played: string;
  /** The same up to the last whole word: what the carrier tells of it. */
  heard: string;
  /** False when it was cut short. */
  whole: boolean;
  /** Of speech that was cut short on an audio line: at most so long the order to stop had waited here. */
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
 * Plays what the assistant says, in simulated time. Needs one timer per turn, not per token: what was heard
 * is computed from the clock when somebody asks.
 */
export class Playback {
  private readonly turns: Turn[] = [];
  private timer: Timer | undefined;
  /** After an interruption the rest of that turn is thrown away until its `last`. */
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

  /** Somebody cuts in. Null when nothing was playing; `protected` when this turn may not be cut so. */
  interrupt(by: 'speech' | 'dtmf'): { heard: string; afterMs: number } | 'protected' | null {
    const turn = this.turns[0];
    if (turn === undefined) return null;
    if (turn.interruptible !== 'any' && turn.interruptible !== by) return 'protected';
    const afterMs = Math.round(this.clockSpeed.now() - turn.startedAt);
    const heard = this.cut(turn);
    return { heard, afterMs };
  }

  /** The line is gone: what was played until now was heard. */
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

  /** Speech cannot run ahead of its text: time in which the model had nothing to say is not played. */
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
