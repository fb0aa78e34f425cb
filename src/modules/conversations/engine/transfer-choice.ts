import type { ModelToolCall } from '../../llm/language-model.js';
import { readArguments, TRANSFER_CALL } from './built-in-tools.js';
import type { ToolParameter, TransferTarget } from './conversation-settings.js';

export const TRANSFER_PARAMETERS: readonly ToolParameter[] = [
  { name: 'to', type: 'string', description: 'The name of the entry.' },
];

/** Who a call can be handed over to, and which of them the model chose. */
export class TransferChoice {
  constructor(private readonly targets: readonly TransferTarget[]) {}

  get offered(): boolean {
    return this.targets.length > 0;
  }

  get names(): string[] {
    return this.targets.map(({ name }) => name);
  }

  /** Who they are, one a line. */
  get entries(): string[] {
    return this.targets.map(({ name, description }) => `- ${[name, description].filter(Boolean).join(': ')}`);
  }

  /** What the model is told beside the description of the function; empty where there is nobody. */
  get rule(): string {
    return this.offered
      ? `\n- To hand the call over to a person call ${TRANSFER_CALL}; promise a person only when you call it.`
      : '';
  }

  /** The first of the calls that names somebody. */
  find(calls: readonly ModelToolCall[]): { call: ModelToolCall; target: TransferTarget } | null {
    for (const call of this.offered ? calls : []) {
      const read = call.name === TRANSFER_CALL ? readArguments(TRANSFER_PARAMETERS, call.arguments) : null;
      const target = read && 'values' in read && this.named(String(read.values['to']));
      if (target) return { call, target };
    }
    return null;
  }

  /** Why a call of the function hands nothing over. */
  get fault(): string {
    return `The argument to must be one of: ${this.names.join(', ')}.`;
  }

  private named(wanted: string): TransferTarget | undefined {
    const lower = wanted.trim().toLowerCase();
    return (
      this.targets.find(({ name }) => name === wanted) ??
      this.targets.find(({ name }) => name.toLowerCase() === lower)
    );
  }
}

/** Sentences around a transfer, spoken without the model. */
interface TransferPhrases {
  /** The model handed the call over without a word. */
  connecting: string;
  /** Nobody could be reached, and the assistant is back. */
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
