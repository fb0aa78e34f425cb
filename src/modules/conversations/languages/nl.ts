import { spokenHours, type LanguagePack } from './language-pack.js';

/** Dutch. */
export const nl: LanguagePack = {
  disclosure: { ai: 'U spreekt met een automatische assistent.', recording: 'Dit gesprek wordt opgenomen.' },
  phrases: {
    goodbye: 'Bedankt voor uw tijd. Tot ziens.',
    timeLimit: 'Ik moet het gesprek nu beëindigen. Bedankt voor uw tijd, tot ziens.',
    askToRepeat: 'Sorry, er ging bij mij iets mis. Kunt u het nog een keer zeggen?',
    interrupted: 'Sorry, ik had zojuist een technisch probleem. Zal ik doorgaan?',
    unfinished: 'Sorry, dat antwoord kan ik niet afmaken. Wat kan ik verder voor u doen?',
    technicalProblem:
      'Het spijt me, ik heb een technisch probleem en moet het gesprek beëindigen. Tot ziens.',
    suppressed: 'Ik begrijp het. U wordt niet meer gebeld. Tot ziens.',
    silence: 'Ik hoor niets meer en beëindig daarom het gesprek. Tot ziens.',
    waiting: ['Een moment, alstublieft.', 'Ik ben er nog mee bezig.', 'Het duurt nog even.'],
  },
  transfer: {
    connecting: 'Ik verbind u nu door. Een moment, alstublieft.',
    unreached: 'Het spijt me, er is niemand bereikbaar. Hoe kan ik u anders helpen?',
  },
  busy: 'Al onze lijnen zijn op dit moment bezet. Belt u alstublieft later nog eens. Tot ziens.',
  listening: 'mm mmm mhm hm hmm aha ah okay ok hoor is goed',
  okay: 'oké oke precies klopt inderdaad prima juist',
  yes: 'ja jawel zeker jazeker natuurlijk tuurlijk',
  no: 'nee neen',
  not: 'niet',
  farewell: {
    parting: 'dag daag doei doeg bedankt dank merci ziens horens',
    wishes: 'fijne prettige tot ook hetzelfde insgelijks gedaan',
    others:
      'u je jij wel hoor hartelijk graag geen van ja oké ok voor de uw hulp en nog een goed straks gauw later ' +
      'avond middag nacht weekend',
  },
  screening: {
    asks: /naam.{0,60}(?:reden|waarom)|(?:reden|waarom).{0,40}naam/,
    person: /\bwat (?:is|was)\b|\bwie (?:is|ben|bent|spreek)\b|waarom bel/,
    asksName: /(?:zeg|noem|spreek|geef|vermeld).{0,25}naam/,
    connects:
      /of .{0,40}(?:beschikbaar|bereikbaar)|verbind|doorschakel|prob(?:eer|eren).{0,40}bereiken|blijf.{0,15}aan de lijn/,
    holds: /aan de lijn|een (?:moment|ogenblik)|wacht|kijk of|verbind/,
    declines: /niet (?:beschikbaar|bereikbaar)|kan niet (?:opnemen|aannemen)/,
    mailbox:
      /(?<!\b(?:ik|hij|ze|zij|we|wij|kunt u|wilt u) )\b(?:spreek|laat) (?!geen)[^.?!]{0,30}(?:bericht|boodschap)|(?:dit is|verbonden met|doorgeschakeld naar|u spreekt met|welkom bij) [^.?!]{0,25}(?:voicemail|antwoordapparaat)/,
    callsBack: /bel.{0,30}terug/,
    tone: /na de (?:piep|toon|biep)|na het signaal/,
    reached: /(?:u bent|je bent) verbonden met(?!.*\?)|(?:nummer dat|persoon die) u (?:belt|heeft gebeld)/,
  },
  numbers: {
    to: 'tot',
    currencies: { EUR: ['euro', 'euro'], USD: ['dollar', 'dollar'], GBP: ['pond', 'pond'] },
    time: spokenHours('uur'),
  },
};
