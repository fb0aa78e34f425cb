/** Prints progress to standard error; standard output is for the findings. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
