export interface Variable {
  name: string;
  /** Shown to whoever set it wrong. */
  example: string;
}

/** One message per wrong variable, each naming the variable and an example. */
export class SettingsError extends Error {
  constructor(readonly problems: string[]) {
    super(`The settings are not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'SettingsError';
  }
}

/** Reads environment variables and collects every problem, so that one start shows all of them. */
export class EnvReader {
  readonly problems: string[] = [];

  constructor(private readonly env: NodeJS.ProcessEnv) {}

  text(variable: Variable): string | null {
    return this.env[variable.name]?.trim() || null;
  }

  integer(variable: Variable, fallback: number, min: number, max: number): number {
    const text = this.text(variable);
    if (text === null) return fallback;
    const value = Number(text);
    if (/^-?\d+$/.test(text) && value >= min && value <= max) return value;
    this.reject(variable, `must be an integer from ${min} to ${max}`);
    return fallback;
  }

  decimal(variable: Variable, fallback: number, min: number, max: number): number {
    const text = this.text(variable);
    if (text === null) return fallback;
    const value = Number(text);
    if (Number.isFinite(value) && value >= min && value <= max) return value;
    this.reject(variable, `must be a number from ${min} to ${max}`);
    return fallback;
  }

  flag(variable: Variable, fallback: boolean): boolean {
    const text = this.text(variable);
    if (text === null) return fallback;
    if (['true', '1', 'on'].includes(text)) return true;
    if (['false', '0', 'off'].includes(text)) return false;
    this.reject(variable, 'must be true or false');
    return fallback;
  }

  oneOf<T extends string>(variable: Variable, values: readonly T[], fallback: T): T {
    const text = this.text(variable);
    if (text === null) return fallback;
    const value = values.find((candidate) => candidate === text);
    if (value !== undefined) return value;
    this.reject(variable, `must be one of ${values.join(', ')}`);
    return fallback;
  }

  url(variable: Variable, protocols: string[]): string | null {
    const text = this.text(variable);
    if (text === null) return null;
    if (URL.canParse(text) && protocols.includes(new URL(text).protocol)) return text.replace(/\/+$/, '');
    this.reject(variable, `must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`);
    return null;
  }

  list(variable: Variable): string[] {
    return (this.text(variable) ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean);
  }

  /** The value is not repeated: it may be a secret. */
  reject(variable: Variable, problem: string): void {
    this.problems.push(`${variable.name} ${problem}, for example ${variable.name}=${variable.example}`);
  }

  hasProblem(variable: Variable): boolean {
    return this.problems.some((problem) => problem.startsWith(`${variable.name} `));
  }

  finish(): void {
    if (this.problems.length > 0) throw new SettingsError(this.problems);
  }
}
