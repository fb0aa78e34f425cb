import type { WriteStream } from 'node:tty';
import type { LeadProgress } from './round.js';

export interface ProgressView {
  show(leads: LeadProgress[], seconds: number): void;
}

const BAR_WIDTH = 24;

/** A bar that moves where somebody watches; a line per change where the output is kept, or colour is unwanted. */
export function progressOn(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): ProgressView {
  const isWatched = stream.isTTY && !env.NO_COLOR && env.TERM !== 'dumb';
  return isWatched ? new LiveProgress(stream) : new PlainProgress(stream);
}

export class PlainProgress implements ProgressView {
  private readonly states = new Map<string, string>();

  constructor(private readonly out: Pick<NodeJS.WritableStream, 'write'>) {}

  show(leads: LeadProgress[], seconds: number): void {
    for (const lead of leads.filter(({ phoneNumber, state }) => this.states.get(phoneNumber) !== state)) {
      this.states.set(lead.phoneNumber, lead.state);
      this.out.write(`${seconds.toFixed(1).padStart(5)} s  ${describe(lead)}\n`);
    }
  }
}

export class LiveProgress implements ProgressView {
  private lines = 0;

  constructor(private readonly out: Pick<WriteStream, 'write' | 'columns'>) {}

  /** Written over what was shown before; a line that would wrap is cut, else the count of lines were wrong. */
  show(leads: LeadProgress[], seconds: number): void {
    const done = leads.filter(({ settled }) => settled).length;
    const filled = Math.round((done / leads.length) * BAR_WIDTH);
    const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
    const lines = [
      `[${bar}] ${done}/${leads.length}  ${seconds.toFixed(1)} s`,
      ...leads.map((lead) => `${lead.settled ? '✔' : '·'} ${describe(lead)}`),
    ];
    const width = (this.out.columns || 80) - 1;
    const up = this.lines > 0 ? `\u001B[${this.lines}A` : '';
    this.out.write(up + lines.map((line) => `\u001B[2K${line.slice(0, width)}\n`).join(''));
    this.lines = lines.length;
  }
}

const describe = ({ phoneNumber, who, state }: LeadProgress): string =>
  `${phoneNumber}  ${who.padEnd(30)}  ${state}`;
