import type { LanguagePack } from './language-pack.js';

/** Romanian. */
export const ro: LanguagePack = {
  disclosure: { ai: 'Vorbiți cu un asistent automat.', recording: 'Acest apel este înregistrat.' },
  phrases: {
    goodbye: 'Vă mulțumesc pentru timpul acordat. La revedere.',
    timeLimit: 'Trebuie să închei apelul acum. Vă mulțumesc pentru timpul acordat, la revedere.',
    askToRepeat: 'Îmi cer scuze, ceva nu a mers bine. Puteți repeta, vă rog?',
    interrupted: 'Îmi cer scuze, tocmai am avut o problemă tehnică. Să continui?',
    unfinished: 'Îmi cer scuze, nu pot termina acest răspuns. Cu ce altceva vă pot ajuta?',
    technicalProblem: 'Îmi pare rău, am o problemă tehnică și trebuie să închei apelul. La revedere.',
    suppressed: 'Am înțeles. Nu vă vom mai suna. La revedere.',
    silence: 'Nu aud nimic, așa că închei apelul acum. La revedere.',
    waiting: ['Un moment, vă rog.', 'Încă lucrez la asta.', 'Mai durează puțin.'],
  },
  transfer: {
    connecting: 'Vă fac legătura acum. Un moment, vă rog.',
    unreached: 'Îmi pare rău, nu răspunde nimeni. Cu ce altceva vă pot ajuta?',
  },
  busy: 'Toate liniile noastre sunt ocupate în acest moment. Vă rugăm să sunați mai târziu. La revedere.',
  listening: 'mm mmm mhm hm hmm aha ah okay ok înțeleg am înțeles așa e în regulă mda',
  okay: 'bine exact perfect corect',
  yes: 'da sigur desigur',
  no: 'nu',
  farewell: {
    parting: 'revedere mulțumesc mersi pa ciao curând',
    wishes: 'frumoasă bună fel asemenea plăcere numai',
    others:
      'la o cu pe mult foarte și dumneavoastră ție vă pentru ajutor ajutorul da bine ok noapte zi seară ' +
      'weekend',
  },
  screening: {
    asks: /numele.{0,60}(?:motiv|de ce|scop)|(?:motiv|de ce|scop).{0,40}numele/,
    person: /\bmă (?:sun|apel)|\bcare (?:e|este|era)|\bcine\b|de ce (?:mă )?suna/,
    asksName: /(?:spune|rosti|preciza|comunica|înregistra).{0,25}numele/,
    connects:
      /dacă .{0,40}disponibil|fac(?:em)? legătura|conect|încerc.{0,30}(?:contact|legătur|găs)|rămâne.{0,10}(?:linie|fir)|nu închideți/,
    holds: /așteptați|un moment|o clipă|pe linie|pe fir|verific|nu închideți/,
    declines: /nu este disponibil|nu poate (?:răspunde|prelua)/,
    mailbox:
      /(?:lăsați|lăsați-ne|lăsați-mi|lasă),? .{0,20}mesaj|(?:aceasta este|ați sunat la|ați apelat|ați ajuns (?:la|în)|redirecționat[^ ]* (?:la|către)) .{0,15}(?:căsuț|mesageri)/,
    callsBack: /(?:vă|te) (?:voi |vom )?sun.{0,15}(?:înapoi|mai târziu)|reveni.{0,10}apel/,
    tone: /după (?:semnal|bip|ton)|semnalul sonor/,
    reached: /ați sunat la(?!.*\?)|numărul (?:apelat|pe care l-ați)|abonatul apelat/,
  },
  numbers: { to: 'până la' },
};
