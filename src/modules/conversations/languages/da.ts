import type { LanguagePack } from './language-pack.js';

/** Danish. */
export const da: LanguagePack = {
  disclosure: { ai: 'Du taler med en automatisk assistent.', recording: 'Denne samtale bliver optaget.' },
  phrases: {
    goodbye: 'Tak for din tid. Farvel.',
    timeLimit: 'Jeg er nødt til at afslutte samtalen nu. Tak for din tid, farvel.',
    askToRepeat: 'Undskyld, noget gik galt hos mig. Kan du sige det igen?',
    interrupted: 'Undskyld, jeg havde lige et teknisk problem. Skal jeg fortsætte?',
    unfinished: 'Undskyld, jeg kan ikke gøre det svar færdigt. Hvad kan jeg ellers hjælpe med?',
    technicalProblem: 'Jeg beklager, jeg har et teknisk problem og må afslutte samtalen. Farvel.',
    suppressed: 'Det er forstået. Vi ringer ikke til dig igen. Farvel.',
    silence: 'Jeg kan ikke høre noget, så jeg afslutter samtalen nu. Farvel.',
    waiting: ['Et øjeblik, tak.', 'Jeg er stadig i gang med det.', 'Det tager lidt længere tid.'],
  },
  transfer: {
    connecting: 'Jeg stiller dig om nu. Et øjeblik, tak.',
    unreached: 'Jeg beklager, der er ingen, der svarer. Hvordan kan jeg ellers hjælpe dig?',
  },
  busy: 'Alle vores linjer er optaget i øjeblikket. Ring venligst igen senere. Farvel.',
  listening: 'mm mmm mhm hm hmm aha ah nå nåh javel lige fint okay ok',
  okay: 'okej præcis nemlig klart',
  yes: 'ja jo jep jada jaja selvfølgelig',
  no: 'nej næ næh',
  not: 'ikke',
  farewell: {
    parting: 'farvel hej hejhej tak velbekomme',
    wishes: 'dejlig fortsat ha hav måde også ses høres tales weekend',
    others:
      'så meget mange have det godt en god rigtig i lige vi ved dig for hjælpen din ok okay ja og ' +
      'selv dag eftermiddag aften',
  },
  screening: {
    asks: /navn.{0,60}(?:hvorfor|årsag|grund|ærinde|formål)|(?:hvorfor|årsag|grund|formål).{0,40}navn/,
    person: /\bmig\b|\bhvad (?:var|er|hed)|\bhvem\b|hvorfor ringer/,
    asksName: /(?:sig|oplys|angiv|indtal|giv).{0,25}navn/,
    connects:
      /om .{0,40}(?:ledig|tilgængelig)|stiller .{0,20}(?:om|igennem)|prøver.{0,30}(?:nå|få fat)|bliv.{0,10}(?:røret|linjen)/,
    holds: /vent|et øjeblik|bliv.{0,10}(?:røret|linjen)|undersøger|stiller/,
    declines: /ikke (?:tilgængelig|til stede|træffes)|kan ikke (?:tage|svare)/,
    mailbox:
      /(?<!\b(?:jeg|at|vil|kan) )\b(?:læg|indtal|efterlad) .{0,25}besked|(?:dette er|du har ringt til|du er kommet til|du er viderestillet til) .{0,25}(?:telefonsvarer|voicemail)/,
    callsBack: /ringer .{0,20}tilbage/,
    tone: /efter (?:tonen|klartonen|bippet|signalet)/,
    reached:
      /(?:du har ringt til|du er kommet til|du har kontaktet)(?!.*\?)|(?:nummeret|personen),? du (?:ringer|har ringt)/,
  },
  numbers: { to: 'til' },
};
