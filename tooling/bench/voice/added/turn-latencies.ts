/** The first turn of a call is not counted: connections are opened in it. */
export const WARM_UP_TURNS = 1;

interface Turn {
  stimulusAt: number;
  isAsked: boolean;
  /** Of the mocks that have answered so far. */
  delaysMs: number[];
}

/** Latency of the service in the turns of one call: all times without the delays of the mocks, in milliseconds. */
export class TurnLatencies {
  /** From the stimulus of each turn to the first frame of its response. */
  readonly added: number[] = [];
  /** From the stimulus of each turn to the request of a response. */
  readonly asked: number[] = [];
  private begun = 0;
  private turn: Turn | null = null;
  private audibleUntil = 0;

  /** @param mocks number of mocks that answer, one after the other, before the first frame of a response */
  constructor(private readonly mocks: number) {}

  /** Whether the customer hears the assistant. */
  get isSpeaking(): boolean {
    return performance.now() < this.audibleUntil;
  }

  /** The customer begins to speak. */
  begin(): void {
    this.begun += 1;
    this.turn = null;
  }

  /** The turn is over, for the customer or for the service. @param at when */
  stimulate(at = performance.now()): void {
    const isCounted = this.begun > WARM_UP_TURNS && !this.isSpeaking;
    this.turn = isCounted ? { stimulusAt: at, isAsked: false, delaysMs: [] } : null;
  }

  /** A response was requested. @param at time of the request */
  request(at: number): void {
    const { turn } = this;
    if (!turn || turn.isAsked) return;
    turn.isAsked = true;
    this.asked.push(at - turn.stimulusAt);
  }

  /** A mock begins to answer. @param requestedAt when it was asked */
  answer(requestedAt: number): void {
    this.turn?.delaysMs.push(performance.now() - requestedAt);
  }

  /** The customer hears a part of the assistant's speech. @param at when it arrived @param ms its duration */
  hear(at: number, ms: number): void {
    this.audibleUntil = Math.max(at, this.audibleUntil) + ms;
    const { turn } = this;
    this.turn = null;
    // Speech before the mocks have answered is no response.
    if (turn?.delaysMs.length !== this.mocks) return;
    this.added.push(turn.delaysMs.reduce((left, delay) => left - delay, at - turn.stimulusAt));
  }
}
