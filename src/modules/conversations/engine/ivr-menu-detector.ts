/** A key in a menu: one digit, not the beginning of a number such as 112. */
const key = (names: string): string => `(?:\\d(?! ?\\d)|${names})(?![\\p{L}])`;
const GAP = '[^\\d.!?]{0,25}?';

const promptPattern = (verbs: string, names: string, before = ''): RegExp =>
  new RegExp(
    `(?<![\\p{L}])(?:${verbs})[\\p{L}]*${GAP}(?<![\\p{L}\\d])${key(names)}${before && `|${key(names)} (?:${before})`}`,
    'u',
  );

/** "Press 1", in each supported language. */
const PRESS_PROMPTS: readonly RegExp[] = [
  promptPattern('press|dial|push', 'one|two|three|four|five|six|seven|eight|nine|zero|star|pound|hash'),
  promptPattern(
    'drück|wähl|taste',
    'eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|null|stern|raute',
    'drücken|wählen',
  ),
  promptPattern(
    'puls|presion|marqu|oprim|apriet',
    'uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|cero|asterisco|almohadilla|numeral',
  ),
  promptPattern(
    'appuy|tapez|taper|press|compos|faites',
    'un|deux|trois|quatre|cinq|six|sept|huit|neuf|zéro|étoile|dièse',
  ),
  promptPattern(
    'prem|digit|selezion',
    'uno|due|tre|quattro|cinque|sei|sette|otto|nove|zero|asterisco|cancelletto',
  ),
  promptPattern(
    'pression|tecl|digit|disqu|apert|prima|marqu',
    'um|dois|três|quatro|cinco|seis|sete|oito|nove|zero|asterisco|jogo da velha',
  ),
  promptPattern('druk|toets|kies', 'één|een|twee|drie|vier|vijf|zes|zeven|acht|negen|nul|sterretje|hekje'),
  promptPattern(
    'nacis|naciś|wybier|wybra|wciśn|wcisn',
    'jeden|jedynk|dwa|dwójk|trzy|trójk|cztery|pięć|sześć|siedem|osiem|dziewięć|zero|gwiazdk|krzyżyk',
  ),
];

const SENTENCE = /[^.!?]+[.!?]*/g;
/** A person speaks of keys as well: asks whether to press one, or is about to. */
const PERSONAL = /\?\s*$|(?<![\p{L}])(?:i|ich|ik)(?![\p{L}])/u;

const isPressPrompt = (sentence: string): boolean =>
  !PERSONAL.test(sentence) && PRESS_PROMPTS.some((asked) => asked.test(sentence));

/** @param text in lower case */
export const offersKeys = (text: string): boolean => text.match(SENTENCE)?.some(isPressPrompt) ?? false;

/** Mailboxes record after a tone; they may also offer "press 1 for more options". */
const MAILBOX_PROMPTS =
  /(?:after|at) the (?:tone|beep|signal)|(?:finished|done) recording|you may hang up|signalton|nach dem (?:ton|signal|piep)|después de(?:l tono| la señal| oír| el tono)|tras (?:la señal|el tono)|\bbip\b|signal sonore|segnale acustico|dopo il segnale|após o sinal|depois do sinal|na de (?:piep|toon)|sygnale|sygnał dźwiękowy/;

/** Recognises a recorded menu (IVR) by its words and keys: machine detection reports it as a mailbox. */
export class IvrMenuDetector {
  private state: 'possible' | 'menu' | 'mailbox' = 'possible';

  /** @returns true once, when these words are from a menu */
  detectMenu(text: string): boolean {
    if (this.state !== 'possible') return false;
    const normalized = text.toLowerCase();
    if (MAILBOX_PROMPTS.test(normalized)) this.state = 'mailbox';
    else if (offersKeys(normalized)) return this.recognise();
    return false;
  }

  /** The model pressed keys, so the callee is a menu. @returns true once */
  handleKeysSent(): boolean {
    return this.state === 'possible' && this.recognise();
  }

  private recognise(): true {
    this.state = 'menu';
    return true;
  }
}
