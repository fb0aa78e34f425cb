import type { LanguagePack } from './language-pack.js';

/** Croatian. */
export const hr: LanguagePack = {
  disclosure: { ai: 'Razgovarate s automatskim asistentom.', recording: 'Ovaj se razgovor snima.' },
  phrases: {
    goodbye: 'Hvala na vašem vremenu. Doviđenja.',
    timeLimit: 'Sada moram završiti razgovor. Hvala na vašem vremenu, doviđenja.',
    askToRepeat: 'Oprostite, nešto je pošlo po zlu. Možete li to ponoviti, molim?',
    interrupted: 'Oprostite, upravo je nastao tehnički problem. Da nastavim?',
    unfinished: 'Oprostite, ne mogu dovršiti taj odgovor. Kako još mogu pomoći?',
    technicalProblem: 'Žao mi je, nastao je tehnički problem i moram završiti razgovor. Doviđenja.',
    suppressed: 'Razumijem. Više vas nećemo zvati. Doviđenja.',
    silence: 'Ništa ne čujem pa ću završiti razgovor. Doviđenja.',
    waiting: ['Samo trenutak, molim.', 'Još radim na tome.', 'Potrajat će još malo.'],
  },
  transfer: {
    connecting: 'Sada vas spajam. Samo trenutak, molim.',
    unreached: 'Žao mi je, nitko se ne javlja. Kako još mogu pomoći?',
  },
  busy: 'Sve su naše linije trenutačno zauzete. Molimo nazovite kasnije. Doviđenja.',
  listening: 'mm mmm mhm hm hmm aha ah okay ok jasno razumijem u tako je',
  okay: 'dobro okej točno može redu',
  yes: 'da naravno svakako',
  no: 'ne',
  farewell: {
    parting: 'doviđenja hvala bok adio pozdrav čujemo vidimo',
    wishes: 'lijep ugodan ugodna laku vama također čemu',
    others: 'lijepa puno vam i noć se na nema pomoći da dobro ok za želim ostatak dan dana večer vikend',
  },
  screening: {
    asks: /ime.{0,60}(?:razlog|zašto|svrh)|(?:razlog|zašto|svrh).{0,40}\bime/,
    person: /\bme (?:zov|tr)|\bkako (?:se|ste|glasi)|\btko\b|zašto (?:me )?zov|koje (?:je|ono)/,
    asksName: /(?:recite|navedite|snimite|izgovorite).{0,25}\bime/,
    connects:
      /je li .{0,40}(?:dostup|slobod)|spajam|spojit|pokuša.{0,30}(?:dobiti|kontakt|spojiti)|ostanite na liniji|ne prekidajte/,
    holds: /pričekajte|trenutak|na liniji|provjer|spajam|ne prekidajte/,
    declines: /nije (?:dostup|slobod)|nedostup|ne može (?:se javiti|odgovoriti)/,
    mailbox:
      /\bostavite,? .{0,25}poruk|(?:dobili ste|nazvali ste|ovo je|preusmjeren[^ ]* (?:na|u)) .{0,20}(?:govorn[^ ]* pošt|sekretaric)/,
    callsBack: /nazva(?:t ću|t ćemo)|(?:javit|nazvat).{0,12}(?:vam|vas)/,
    tone: /nakon (?:zvučnog )?(?:signala|tona)/,
    reached: /dobili ste(?!.*\?)|birani broj|broj koji ste|pretplatnik|korisnik trenut/,
  },
  numbers: { to: 'do' },
};
