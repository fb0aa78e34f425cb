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

/** Sentences around a transfer, spoken without the model. */
interface TransferPhrases {
  /** The model transferred the call without announcing it. */
  connecting: string;
  /** The transfer failed, and the assistant resumes. */
  unreached: string;
}

const ENGLISH: TransferPhrases = {
  connecting: 'I will connect you now. One moment, please.',
  unreached: 'I am sorry, nobody could be reached. How else can I help you?',
};

const PHRASES = new Map<string, TransferPhrases>([
  ['en', ENGLISH],
  [
    'de',
    {
      connecting: 'Ich verbinde Sie jetzt. Einen Moment, bitte.',
      unreached: 'Es tut mir leid, ich konnte niemanden erreichen. Wie kann ich Ihnen sonst helfen?',
    },
  ],
  [
    'es',
    {
      connecting: 'Le paso ahora. Un momento, por favor.',
      unreached: 'Lo siento, no he podido localizar a nadie. ¿En qué más puedo ayudarle?',
    },
  ],
  [
    'fr',
    {
      connecting: 'Je vous mets en relation. Un instant, s’il vous plaît.',
      unreached: 'Je suis désolé, personne n’est joignable. Comment puis-je vous aider autrement ?',
    },
  ],
  [
    'it',
    {
      connecting: 'La metto in contatto. Un momento, per favore.',
      unreached: 'Mi dispiace, non risponde nessuno. Come posso aiutarla altrimenti?',
    },
  ],
  [
    'pt',
    {
      connecting: 'Vou transferir a sua chamada. Um momento, por favor.',
      unreached: 'Lamento, não foi possível contactar ninguém. Como posso ajudar de outra forma?',
    },
  ],
  [
    'nl',
    {
      connecting: 'Ik verbind u nu door. Een moment, alstublieft.',
      unreached: 'Het spijt me, er is niemand bereikbaar. Hoe kan ik u anders helpen?',
    },
  ],
  [
    'pl',
    {
      connecting: 'Już łączę. Chwileczkę, proszę.',
      unreached: 'Przepraszam, nikt nie odbiera. Jak jeszcze można pomóc?',
    },
  ],
]);

/** By the language part of a BCP 47 tag; English for languages without built-in phrases. */
export const transferPhrases = (language: string): TransferPhrases =>
  PHRASES.get(language.slice(0, 2).toLowerCase()) ?? ENGLISH;
