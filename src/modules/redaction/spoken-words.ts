import { normalizeWord } from './number-words.js';

/** Words around numbers and addresses in speech, of all languages together, as `normalizeWord` writes them. */
const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(' ').map(normalizeWord));

/** Said between the parts of a number; they end no number. */
export const HESITATIONS = wordSet(
  'uh um uhm er erm hmm hm äh ähm öh eh ehm euh heu mhm yyy eee ee este ehh ah aha ok okay well so genau also dann ' +
    'then puis entonces luego poi então depois dan potem alors bon und and et y e en i oraz ' +
    'dash hyphen strich bindestrich minus tiret guion trattino traço streepje kreska another again noch nochmal encore ' +
    'otra ancora outra nog jeszcze',
);

/** The next digit is said twice or three times. */
export const REPETITIONS: ReadonlyMap<string, number> = new Map([
  ...[...wordSet('double doppel doppelt doble doppio doppia duplo dubbel podwójne podwójna dwa-razy')].map(
    (word) => [word, 2] as const,
  ),
  ...[...wordSet('triple treble dreifach triplo tripel driedubbel potrójne potrójna')].map(
    (word) => [word, 3] as const,
  ),
  ...[...wordSet('quadruple cuádruple quadruplo')].map((word) => [word, 4] as const),
]);

export const PLUS_WORDS = wordSet('plus più mais más');

/** Between the name and the host of an e-mail address. */
export const AT_WORDS = wordSet('at ät et arobase arrobase arroba chiocciola apenstaartje małpa klammeraffe');
/** Also everyday words: "I booked it at …". */
export const EVERYDAY_AT_WORDS = wordSet('at et');
/** Hosts of many persons' addresses: also a plain word before them is a name. */
export const MAIL_HOST =
  /^\W*(?:gmail|googlemail|google mail|hotmail|outlook|yahoo|icloud|aol|web|gmx|posteo|proton|protonmail|t-online|libero|orange|wanadoo|wp|onet)(?!\p{L})/iu;
/** Before a name in an e-mail address that is one plain word: "my e-mail is …", "it is …". */
export const BEFORE_EMAIL =
  /(?<!\p{L})(?:e-?mails?|mail|courriel|correo|(?:e-?mail)?adress?e?|address|indirizzo|endere[cç]o|adres)(?!\p{L})[^.!?]{0,40}[?.!]?\s*$|(?:(?<!\p{L})(?:is|ist|est|es|è|é|jest|to)|['’]s)[\s:,]+$/iu;
export const DOT_WORDS = wordSet('dot point punkt punto ponto punt kropka period');
/** Before a surname. */
export const SURNAME_PARTICLES = wordSet('de van von der den del della di da do dos du la le el');
/** Between the parts of the name in an e-mail address. */
export const DASH_WORDS = wordSet(
  'dash hyphen minus underscore bindestrich unterstrich tiret underscore guion trattino hífen hifen underline streepje ' +
    'koppelteken myślnik podkreślnik podkreślenie tirets',
);

/** Names of letters at the end of an id, where recognisers do not write the letter. */
export const LETTER_NAMES: ReadonlyMap<string, string> = new Map([
  ...Object.entries({ zeta: 'Z', equis: 'X', jota: 'J', hache: 'H', efe: 'F', ele: 'L', eme: 'M', ene: 'N' }),
  ...Object.entries({ erre: 'R', ese: 'S', uve: 'V', ka: 'K', ce: 'C', ge: 'G', pe: 'P', cu: 'Q', te: 'T' }),
  ...Object.entries({ be: 'B', de: 'D', ye: 'Y' }),
]);

export const CURRENCY = new RegExp(
  String.raw`^\s*(?:[€$£]|(?:euro?s?|eur|dollars?|usd|bucks|pounds?|gbp|quid|cents?|pence|centimes?|céntimos?|centesimi` +
    String.raw`|cêntimos|reais|pesos?|złot\p{L}*|zl|zł|groszy|pln|franken|francs?|prozent|percent|%|pour cent|por ciento` +
    String.raw`|per cento|procent)(?!\p{L}))`,
  'iu',
);

/** Things with a number of their own. */
const THINGS =
  String.raw`order|invoice|booking|ticket|tracking|reference|confirmation|policy|model|serial|part|article` +
  String.raw`|bestellung|rechnung|auftrag|buchung|commande|facture|r[ée]servation|dossier|r[ée]f[ée]rence` +
  String.raw`|pedido|factura|reserva|referencia|ordine|fattura|prenotazione|encomenda|fatura|refer[eê]ncia` +
  String.raw`|bestelling|factuur|boeking|zam[oó]wieni\p{L}+|faktur\p{L}*|rezerwacj\p{L}+`;

/** Words that say what the number after them is. */
export const CUES = {
  card: cue(
    String.raw`card|visa|master ?card|amex|american express|kreditkarte\p{L}*|kartennummer|karte|carte(?: bleue| bancaire)?` +
      String.raw`|tarjeta|carta(?: di credito)?|cart[aã]o|creditcard|kaartnummer|kaart|kart[aąyę]|maestro`,
  ),
  iban: cue(
    String.raw`iban|account number|kontonummer|bankverbindung|konto|compte(?: bancaire)?|n[uú]mero de cuenta|cuenta` +
      String.raw`|conto(?: corrente)?|conta|rekeningnummer|rekening|numer konta|konta`,
  ),
  id: cue(
    String.raw`social(?: security(?: number)?)?|ssn|national insurance(?: number)?|nino|passport(?: number)?` +
      String.raw`|steuer-?id\p{L}*|steueridentifikationsnummer|steuernummer|sozialversicherungsnummer|personalausweis\p{L}*` +
      String.raw`|reisepass\p{L}*|ausweisnummer|s[ée]curit[ée] sociale|num[ée]ro de s[ée]cu|passeport|dni|nie|nif|pasaporte` +
      String.raw`|contribuinte|cpf|cart[aã]o de cidad[aã]o|codice fiscale|passaporto|bsn|burgerservicenummer` +
      String.raw`|paspoort(?:nummer)?|pesel|dow[oó]d\p{L}*|paszport\p{L}*`,
  ),
  phone: cue(
    String.raw`my number|meine nummer|mon num[ée]ro|mi n[uú]mero|il mio numero|meu n[uú]mero|mijn nummer|m[oó]j numer` +
      String.raw`|phone(?: number)?|telephone|mobile|cell|call (?:me|us)(?: back)?|reach (?:me|us)|text me` +
      String.raw`|telefonnummer|telefon|handy(?:nummer)?|mobilnummer|r[uü]ckruf|rufen sie (?:mich|uns)|erreichen|anrufen` +
      String.raw`|t[ée]l[ée]phone|portable|mobile|joindre|rappele[rz]|appele[rz]|fixe` +
      String.raw`|tel[ée]fono|m[oó]vil|celular|ll[aá]m[ae]\p{L}*|llamar|cellulare|telefono|chiam\p{L}+|richiam\p{L}+|fisso` +
      String.raw`|telem[oó]vel|telefone|lig(?:ar|ue)(?:-\p{L}+)?|telefoonnummer|telefoon|mobiel|bel (?:me|ons)|bereiken` +
      String.raw`|telefonu|kom[oó]rk\p{L}+|dzwoni\p{L}+|zadzwo\p{L}+`,
  ),
  /** What is no number of a person: also when it has the form of a telephone number. */
  other: cue(
    String.raw`(?:${THINGS}|customer|case)[ _-]?(?:number|num|no|id|code|nummer|nr|num[ée]ro|n[uú]mero|numer|n°|nº|#)` +
      String.raw`|(?:number|nummer|num[ée]ro|n[uú]mero|numer\p{L}*|n°|nº|code|c[oó]digo|codice|kod)(?: (?:of|de|du|des|del|della|da|do|van|der))?(?: (?:the|your|my|la|le|el|ma|votre|mi|su|de|het|il))? (?:\p{L}{1,4}['’])?(?:${THINGS}|client[e]?|klienta)` +
      String.raw`|(?:bestell|rechnungs|auftrags|buchungs|reservierungs|kunden|artikel|sendungs|vorgangs)-?(?:nummer|nr|code|id)` +
      String.raw`|(?:bestel|factuur|klant|order|boekings|reserverings)-?(?:nummer|nr|code)` +
      String.raw`|zip(?: code)?|post ?code|plz|postleitzahl|code postal|c[oó]digo postal|kod pocztowy` +
      // Directly before the number; "for the order 415…" says nothing about the number.
      String.raw`|(?<!(?:for|für|pour|para|per|voor|do|dla) (?:\p{L}{1,6} )?)(?:${THINGS}|cap)(?: (?:is|was|ist|war|lautet|est|es|è|é|jest|to))?(?=[ :#]*$)`,
  ),
} as const;

function cue(words: string): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${words})(?![\p{L}\p{N}])`, 'giu');
}

/** The assistant asks for the rest of a number. */
export const MORE_DIGITS =
  /(?<!\p{L})(?:digits?|numbers?|ziffern?|nummern?|zahlen|chiffres?|num[ée]ros?|d[ií]gitos?|cifr[ae]s?|n[uú]meros?|cijfers?|nummers?|cyfr[ayę]?|numer[uyów]*)(?!\p{L})/iu;
