import { type LanguagePack, withElidedDe } from './language-pack.js';

/** Catalan. */
export const ca: LanguagePack = {
  disclosure: {
    ai: 'Està parlant amb un assistent automàtic.',
    recording: 'Aquesta trucada s’està enregistrant.',
  },
  phrases: {
    goodbye: 'Gràcies pel seu temps. A reveure.',
    timeLimit: 'He d’acabar la trucada. Gràcies pel seu temps, a reveure.',
    askToRepeat: 'Disculpi, he tingut un problema. Ho podria tornar a dir, si us plau?',
    interrupted: 'Disculpi, acabo de tenir un problema tècnic. Continuo?',
    unfinished: 'Disculpi, no puc acabar aquesta resposta. En què més puc ajudar?',
    technicalProblem: 'Ho sento, tinc un problema tècnic i he d’acabar la trucada. A reveure.',
    suppressed: 'Entesos. No li tornarem a trucar. A reveure.',
    silence: 'No sento res, així que acabaré la trucada. A reveure.',
    waiting: ['Un moment, si us plau.', 'Encara hi treballo.', 'Trigarà una mica més.'],
  },
  transfer: {
    connecting: 'Ara passo la trucada. Un moment, si us plau.',
    unreached: 'Ho sento, no hi ha ningú disponible. En què més puc ajudar?',
  },
  busy: 'Ara mateix totes les línies estan ocupades. Si us plau, truqui més tard. A reveure.',
  listening: 'mm mmm mhm hm ah aha ajà ja okay ok si d és molt bé entenc',
  okay: 'val entesos acord exacte perfecte',
  yes: 'sí clar',
  no: 'no',
  farewell: {
    parting: 'adéu adeu reveure gràcies merci',
    wishes: 'vagi tingui igualment també res',
    others:
      'a moltes molt bé bon bona un una fins aviat després siau vostè de per la seva ajuda temps val sí d ' +
      'acord ok que i amb dia tarda nit',
  },
  screening: {
    asks: /nom.{0,60}(?:motiu|raó|per què|perquè)|(?:motiu|raó|per què).{0,40}nom/,
    person: /em truc|\bquin (?:és|era)|com es diu|\bqui (?:és|ets|parla|truca)|per què (?:em )?truca/,
    asksName: /(?:digui|dir|indiqui|enregistri|doni).{0,20}\bnom\b/,
    connects:
      /si .{0,40}disponible|connect|el passo|li passo|(?:intent|miro).{0,30}(?:contactar|localitzar)|no pengi|a la línia/,
    holds: /no pengi|a la línia|un moment|esperi|comprov|el passo/,
    declines: /no està disponible|no pot (?:atendre|contestar|posar-s)/,
    mailbox:
      /(?<!\b(?:em|li|et|no|que) )\bdeix[ia](?:'ns|'m|-me|-nos)? .{0,20}missatge|(?:aquest és el|aquesta és la|benvingut a la|desviada a la) .{0,10}(?:contestador|bústia)/,
    callsBack: /(?:li|et|us) (?:tornar|trucar)|tornaré? la trucada/,
    tone: /després del (?:senyal|to|xiulet|bip)|després de sentir/,
    reached: /ha trucat a(?!.*\?)|(?:número|telèfon) (?:al qual|que) (?:truca|ha trucat|ha marcat)/,
  },
  numbers: { to: 'a', ofMillions: withElidedDe },
};
