/** Tells on standard error what is going on; the findings alone stand on standard output. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
