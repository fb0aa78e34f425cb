import type { LanguagePack } from './language-pack.js';

/** Norwegian. */
export const nb: LanguagePack = {
  disclosure: { ai: 'Du snakker med en automatisk assistent.', recording: 'Denne samtalen blir tatt opp.' },
  phrases: {
    goodbye: 'Takk for tiden din. Ha det bra.',
    timeLimit: 'Jeg må avslutte samtalen nå. Takk for tiden din, ha det bra.',
    askToRepeat: 'Beklager, noe gikk galt hos meg. Kan du si det en gang til?',
    interrupted: 'Beklager, jeg fikk akkurat et teknisk problem. Skal jeg fortsette?',
    unfinished: 'Beklager, jeg kan ikke fullføre det svaret. Hva kan jeg ellers hjelpe med?',
    technicalProblem: 'Beklager, jeg har et teknisk problem og må avslutte samtalen. Ha det bra.',
    suppressed: 'Jeg forstår. Vi ringer deg ikke igjen. Ha det bra.',
    silence: 'Jeg hører ingenting, så jeg avslutter samtalen nå. Ha det bra.',
    waiting: ['Et øyeblikk, takk.', 'Jeg holder fortsatt på med det.', 'Det tar litt lengre tid.'],
  },
  transfer: {
    connecting: 'Jeg setter deg over nå. Et øyeblikk, takk.',
    unreached: 'Beklager, ingen svarer. Hvordan kan jeg ellers hjelpe deg?',
  },
  busy: 'Alle linjene våre er opptatt akkurat nå. Ring gjerne igjen senere. Ha det bra.',
  listening: 'mm mmm mhm hm hmm aha ah åja jaha javel okay ok nettopp',
  okay: 'okei akkurat greit fint stemmer riktig',
  yes: 'ja jo jepp jada jaja javisst selvfølgelig',
  no: 'nei næ nope',
  not: 'ikke',
  farewell: {
    parting: 'hade ha takk farvel morna',
    wishes: 'fin snakkes høres ses måte også hyggelig helg',
    others: 'det bra så mye mange tusen en god i like bare vi for hjelpen din ok okei ja og deg du dag kveld',
  },
  screening: {
    asks: /navn.{0,60}(?:hvorfor|årsak|grunn|ærend|formål)|(?:hvorfor|årsak|grunn|formål).{0,40}navn/,
    person: /\bmeg\b|\bhva (?:var|er|het)|\bhvem\b|hvorfor ringer/,
    asksName: /(?:si|oppgi|les inn|legg igjen).{0,25}navn/,
    connects:
      /om .{0,40}(?:ledig|tilgjengelig)|setter .{0,20}over|prøver.{0,30}(?:nå|få tak)|hold.{0,10}linj/,
    holds: /vent|et øyeblikk|hold.{0,10}linj|sjekker|setter/,
    declines: /ikke (?:tilgjengelig|til stede)|kan ikke (?:ta|svare)/,
    mailbox:
      /(?<!\bjeg )\b(?:legg igjen|les inn) .{0,25}(?:beskjed|melding)|(?:dette er|du har kommet til|du har nådd|du er satt over til) .{0,25}(?:telefonsvarer|mobilsvar)/,
    callsBack: /ringer .{0,20}(?:tilbake|opp)/,
    tone: /etter (?:tonen|pipetonen|pipet|signalet)/,
    reached:
      /(?:du har ringt til|du har kommet til|du har nådd)(?!.*\?)|(?:nummeret|personen) du (?:ringer|har ringt)/,
  },
  numbers: { to: 'til' },
};
