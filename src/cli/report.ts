/** What a command did or found out. */
export interface Report {
  /** For `--json`. */
  data: unknown;
  /** For people. */
  text: string;
  /** The command did its work and found something wrong: exit code 1. */
  failed?: boolean;
}

export const EXIT = { ok: 0, failed: 1, usage: 2 } as const;

export function printReport({ data, text, failed }: Report, json: boolean): void {
  process.stdout.write(`${json ? JSON.stringify(data, null, 2) : text}\n`);
  if (failed) process.exitCode = EXIT.failed;
}
