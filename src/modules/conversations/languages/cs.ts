import type { LanguagePack } from './language-pack.js';

/** Czech. */
export const cs: LanguagePack = {
  disclosure: { ai: 'Hovoříte s automatickým asistentem.', recording: 'Tento hovor je nahráván.' },
  phrases: {
    goodbye: 'Děkuji za váš čas. Na shledanou.',
    timeLimit: 'Musím teď hovor ukončit. Děkuji za váš čas, na shledanou.',
    askToRepeat: 'Promiňte, něco se u mě nepovedlo. Můžete to prosím zopakovat?',
    interrupted: 'Promiňte, nastal technický problém. Mám pokračovat?',
    unfinished: 'Promiňte, tuto odpověď nemohu dokončit. S čím dalším mohu pomoci?',
    technicalProblem: 'Omlouvám se, nastal technický problém a musím hovor ukončit. Na shledanou.',
    suppressed: 'Rozumím. Už vám nebudeme volat. Na shledanou.',
    silence: 'Nic neslyším, proto hovor ukončím. Na shledanou.',
    waiting: ['Okamžik, prosím.', 'Ještě na tom pracuji.', 'Bude to chvilku trvat.'],
  },
  transfer: {
    connecting: 'Přepojuji vás. Okamžik, prosím.',
    unreached: 'Omlouvám se, nikdo není k zastižení. Jak jinak mohu pomoci?',
  },
  busy: 'Všechny naše linky jsou momentálně obsazené. Zavolejte prosím později. Na shledanou.',
  listening: 'mm mmm mhm hm hmm aha ah dobrý no rozumím chápu v pořádku okay ok',
  okay: 'jasně dobře okej přesně výborně',
  yes: 'ano jo jistě určitě samozřejmě',
  no: 'ne nikoli nikoliv',
  farewell: {
    parting: 'shledanou slyšenou nashle nashledanou sbohem děkuji děkuju díky ahoj čau',
    wishes: 'hezký hezké pěkný pěkné krásný dobrou vám nápodobně mějte měj zač',
    others:
      'na moc mockrát den noc odpoledne se není i také taky za pomoc tak zatím dobře ok ano jo a vaši dne večer víkend',
  },
  screening: {
    asks: /jméno.{0,60}(?:důvod|proč|účel)|(?:důvod|proč|účel).{0,40}jméno/,
    person: /\bmi voláte|\bjak (?:se|jste)|\bkdo\b|proč (?:mi )?voláte|jaké (?:je|bylo)/,
    asksName: /(?:řekněte|uveďte|sdělte|namluvte|vyslovte).{0,25}jméno/,
    connects:
      /zda .{0,40}(?:k dispozici|dostupn|k zastižení)|(?:spojím|spojíme|přepoj)|pokus.{0,30}(?:zastihnout|spojit)|zůstaňte.{0,10}lince|nezavěšujte/,
    holds: /vyčkejte|počkejte|okamžik|na lince|nezavěšujte|ověř|přepoj/,
    declines: /není (?:k dispozici|dostupn|k zastižení)|nemůže (?:hovor|přijmout)/,
    mailbox:
      /(?:zanechte|nechte|můžete zanechat),? .{0,25}(?:vzkaz|zprávu)|(?:toto je|dovolali jste se|přesměrován.{0,3}) .{0,20}(?:hlasov[^ ]* schránk|záznamník)/,
    callsBack: /zavol(?:ám|áme) .{0,20}zpět/,
    tone: /po (?:zaznění )?(?:tónu|signálu|pípnutí)/,
    reached: /dovolali jste se(?!.*\?)|volané číslo|volaný účastník/,
  },
  numbers: { to: 'až' },
};
