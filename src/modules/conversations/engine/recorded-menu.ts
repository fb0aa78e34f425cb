/** The key that a menu names: one digit, not the beginning of a number such as 112. */
const key = (names: string): string => `(?:\\d(?! ?\\d)|${names})(?![\\p{L}])`;
const GAP = '[^\\d.!?]{0,25}?';

const asks = (verbs: string, names: string, before = ''): RegExp =>
  new RegExp(
    `(?<![\\p{L}])(?:${verbs})[\\p{L}]*${GAP}(?<![\\p{L}\\d])${key(names)}${before && `|${key(names)} (?:${before})`}`,
    'u',
  );

/** "Press 1", in each language that has words of its own for what may answer a call. */
const PRESS: readonly RegExp[] = [
  asks('press|dial|push', 'one|two|three|four|five|six|seven|eight|nine|zero|star|pound|hash'),
  asks(
    'drück|wähl|taste',
    'eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|null|stern|raute',
    'drücken|wählen',
  ),
  asks(
    'puls|presion|marqu|oprim|apriet',
    'uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|cero|asterisco|almohadilla|numeral',
  ),
  asks(
    'appuy|tapez|taper|press|compos|faites',
    'un|deux|trois|quatre|cinq|six|sept|huit|neuf|zéro|étoile|dièse',
  ),
  asks('prem|digit|selezion', 'uno|due|tre|quattro|cinque|sei|sette|otto|nove|zero|asterisco|cancelletto'),
  asks(
    'pression|tecl|digit|disqu|apert|prima|marqu',
    'um|dois|três|quatro|cinco|seis|sete|oito|nove|zero|asterisco|jogo da velha',
  ),
  asks('druk|toets|kies', 'één|een|twee|drie|vier|vijf|zes|zeven|acht|negen|nul|sterretje|hekje'),
  asks(
    'nacis|naciś|wybier|wybra|wciśn|wcisn',
    'jeden|jedynk|dwa|dwójk|trzy|trójk|cztery|pięć|sześć|siedem|osiem|dziewięć|zero|gwiazdk|krzyżyk',
  ),
];

/** What is recorded after a tone is no menu, although "press 1 for more options" may follow. */
const RECORDS =
  /(?:after|at) the (?:tone|beep|signal)|(?:finished|done) recording|you may hang up|signalton|nach dem (?:ton|signal|piep)|después de (?:la señal|oír|el tono)|tras (?:la señal|el tono)|\bbip\b|signal sonore|segnale acustico|dopo il segnale|após o sinal|depois do sinal|na de (?:piep|toon)|sygnale|sygnał dźwiękowy/;

/** Tells by words and keys whether a recorded menu answers, which detection takes for a mailbox. */
export class RecordedMenu {
  private state: 'possible' | 'menu' | 'mailbox' = 'possible';

  /** @returns true when a menu is recognised by these words, once */
  hears(text: string): boolean {
    if (this.state !== 'possible') return false;
    const said = text.toLowerCase();
    if (RECORDS.test(said)) this.state = 'mailbox';
    else if (PRESS.some((asked) => asked.test(said))) return this.recognise();
    return false;
  }

  /** The model takes who answers for a menu. @returns as `hears` */
  keysSent(): boolean {
    return this.state === 'possible' && this.recognise();
  }

  private recognise(): true {
    this.state = 'menu';
    return true;
  }
}
