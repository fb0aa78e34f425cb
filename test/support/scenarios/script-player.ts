import type { Clock } from '#src/modules/conversations/engine/clock.js';
import {
  milliseconds,
  MOMENTS,
  type Moment,
  type PersonStep,
  type Span,
  type Step,
} from './scenario.types.js';
import type { CustomerLine } from './customer-line.js';

const SPEAKS_FOR = '1s';

export interface LineActions {
  hangUp(): Promise<void>;
  machine(answeredBy: string): Promise<void>;
  lineError(code: number): Promise<void>;
  person(step: PersonStep): Promise<void>;
}

/** Lets the steps of a script happen, each at its time or after its moment. */
export class ScriptPlayer {
  private readonly counts = new Map<Moment, number>();
  private before = new Map<Moment, number>();
  private waiting: { moment: Moment; resolve: () => void }[] = [];

  constructor(
    private readonly clock: Clock,
    private readonly steps: readonly Step[],
    private readonly line: CustomerLine,
    private readonly actions: LineActions,
  ) {}

  happened(moment: Moment): void {
    this.counts.set(moment, (this.counts.get(moment) ?? 0) + 1);
    const due = this.waiting.filter((one) => one.moment === moment);
    this.waiting = this.waiting.filter((one) => one.moment !== moment);
    for (const { resolve } of due) resolve();
  }

  async play(startedAt: number): Promise<void> {
    for (const step of this.steps) {
      await this.moment(step, startedAt);
      this.before = new Map(this.counts);
      await this.act(step);
    }
  }

  private async moment({ at, after, plus }: Step, startedAt: number): Promise<void> {
    if (at !== undefined) await this.wait(startedAt + milliseconds(at) - this.clock.now());
    else if (isMoment(after)) await this.reached(after);
    else if (after !== undefined) await this.wait(milliseconds(after));
    if (plus !== undefined) await this.wait(milliseconds(plus));
  }

  /** When the moment comes for the first time since the step before began. */
  private async reached(moment: Moment): Promise<void> {
    if ((this.counts.get(moment) ?? 0) > (this.before.get(moment) ?? 0)) return;
    await new Promise<void>((resolve) => this.waiting.push({ moment, resolve }));
  }

  private act(step: Step): Promise<void> | void {
    const { line, actions } = this;
    if (step.customer !== undefined)
      return line.customer(
        step.customer,
        milliseconds(step.takes ?? SPEAKS_FOR),
        wordsAfter(step.words_after),
      );
    if (step.noise !== undefined) return line.noise(milliseconds(step.noise));
    if (step.keys !== undefined) return line.keys(step.keys);
    if (step.hangs_up) return actions.hangUp();
    if (step.machine !== undefined) return actions.machine(step.machine);
    if (step.person !== undefined) return actions.person(step.person);
    if (step.line_error !== undefined) return actions.lineError(step.line_error);
    if (step.frame !== undefined) return line.frame(step.frame);
  }

  private async wait(ms: number): Promise<void> {
    if (ms > 0) await new Promise<void>((resolve) => this.clock.setTimeout(resolve, ms));
  }
}

const isMoment = (value: string | undefined): value is Moment =>
  (MOMENTS as readonly (string | undefined)[]).includes(value);

function wordsAfter(span: Span | 'never' | undefined): number | null | undefined {
  if (span === undefined) return undefined;
  return span === 'never' ? null : milliseconds(span);
}
