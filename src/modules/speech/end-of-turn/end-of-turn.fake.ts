import { EndOfTurnModel, type TurnAudio, type TurnVerdict } from './end-of-turn-model.js';

/** A model that answers as the test says. Without an answer there is none. */
export class FakeTurnModel extends EndOfTurnModel {
  readonly questions: TurnAudio[] = [];

  constructor(public answer: TurnVerdict | 'late' | null = null) {
    super();
  }

  override get isSet(): boolean {
    return this.answer !== null;
  }

  override async classify(audio: TurnAudio): Promise<TurnVerdict | null> {
    this.questions.push(audio);
    return this.answer === 'late' ? null : this.answer;
  }
}
