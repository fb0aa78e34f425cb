import { HostResolver } from './host-resolver.js';

/** Answers each look-up with the next list of its script, the last one again and again. */
export class ScriptedResolver extends HostResolver {
  readonly asked: string[] = [];

  constructor(private readonly answers: readonly string[][]) {
    super();
  }

  override resolve(hostname: string): Promise<string[]> {
    const answer = this.answers[Math.min(this.asked.length, this.answers.length - 1)];
    this.asked.push(hostname);
    return answer ? Promise.resolve(answer) : Promise.reject(notFound());
  }
}

export class SilentResolver extends HostResolver {
  override resolve(): Promise<string[]> {
    return new Promise(() => undefined);
  }
}

function notFound(): Error {
  return Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' });
}
