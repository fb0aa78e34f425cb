/** Audio of one channel. */
export interface TurnAudio {
  samples: Int16Array;
  sampleRate: number;
}

/** `unsure`: the model does not decide. */
export type TurnVerdict = 'complete' | 'incomplete' | 'unsure';

/** Tells from the audio of the customer's turn whether they have finished. */
export abstract class EndOfTurnModel {
  /** Whether there is a model: without one nobody keeps audio for it. */
  abstract readonly isSet: boolean;

  /**
   * Never throws.
   *
   * @param audio of the turn so far, at most its last 8 s
   * @returns null: the model has failed, or has not answered in time
   */
  abstract classify(audio: TurnAudio): Promise<TurnVerdict | null>;
}
