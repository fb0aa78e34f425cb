import type { WriteStream } from 'node:tty';

const BAR_WIDTH = 24;

/** Whether lines can be overwritten: on a terminal, unless `NO_COLOR` is set. */
export const canOverwriteLines = (stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): boolean =>
  stream.isTTY && !env.NO_COLOR && env.TERM !== 'dumb';

/** `[██████░░░]`. @param share 0 to 1 */
export function progressBar(share: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * BAR_WIDTH);
  return `[${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)}]`;
}

export interface LinesView {
  show(lines: readonly string[]): void;
}

/** Overwrites the lines on a terminal; writes them below each other elsewhere. */
export const linesViewFor = (stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): LinesView =>
  canOverwriteLines(stream, env) ? new LiveLines(stream) : new PlainLines(stream);

/** Writes lines when they have changed. */
export class PlainLines implements LinesView {
  private last = '';

  constructor(private readonly out: Pick<NodeJS.WritableStream, 'write'>) {}

  show(lines: readonly string[]): void {
    const text = lines.map((line) => `${line}\n`).join('');
    if (text !== this.last) this.out.write(text);
    this.last = text;
  }
}

export class LiveLines implements LinesView {
  private lines = 0;

  constructor(private readonly out: Pick<WriteStream, 'write' | 'columns'>) {}

  /**
   * Overwrites the previous lines. Long lines are truncated: a wrapped line would break the count of lines to move up.
   */
  show(lines: readonly string[]): void {
    const width = (this.out.columns || 80) - 1;
    const up = this.lines > 0 ? `\u001B[${this.lines}A` : '';
    this.out.write(up + lines.map((line) => `\u001B[2K${line.slice(0, width)}\n`).join(''));
    this.lines = lines.length;
  }
}
