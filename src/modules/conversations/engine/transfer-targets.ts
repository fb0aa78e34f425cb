import type { ModelToolCall } from '../../llm/language-model.js';
import { parseArguments, TRANSFER_CALL } from './built-in-tools.js';
import type { FunctionParameter, TransferTarget } from './conversation-settings.js';

export const TRANSFER_PARAMETERS: readonly FunctionParameter[] = [
  { name: 'to', type: 'string', description: 'The name of the entry.' },
];

/** The transfer targets of a call, and the model's choice among them. */
export class TransferTargets {
  constructor(private readonly targets: readonly TransferTarget[]) {}

  get isAvailable(): boolean {
    return this.targets.length > 0;
  }

  get names(): string[] {
    return this.targets.map(({ name }) => name);
  }

  /** One line for each target. */
  get descriptions(): string[] {
    return this.targets.map(({ name, description }) => `- ${[name, description].filter(Boolean).join(': ')}`);
  }

  /** Rule in the system prompt besides the description of the function; empty without targets. */
  get promptRule(): string {
    return this.isAvailable
      ? `\n- To hand the call over to a person call ${TRANSFER_CALL}; promise a person only when you call it.`
      : '';
  }

  /** The first call with a valid target. */
  findTarget(calls: readonly ModelToolCall[]): { call: ModelToolCall; target: TransferTarget } | null {
    for (const call of this.isAvailable ? calls : []) {
      const read = call.name === TRANSFER_CALL ? parseArguments(TRANSFER_PARAMETERS, call.arguments) : null;
      const target = read && 'values' in read && this.findByName(String(read.values['to']));
      if (target) return { call, target };
    }
    return null;
  }

  /** Error of a call without a valid target. */
  get errorText(): string {
    return `The argument to must be one of: ${this.names.join(', ')}.`;
  }

  private findByName(wanted: string): TransferTarget | undefined {
    const lower = wanted.trim().toLowerCase();
    return (
      this.targets.find(({ name }) => name === wanted) ??
      this.targets.find(({ name }) => name.toLowerCase() === lower)
    );
  }
}
