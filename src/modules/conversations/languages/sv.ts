import type { LanguagePack } from './language-pack.js';

/** Swedish. */
export const sv: LanguagePack = {
  disclosure: { ai: 'Du talar med en automatisk assistent.', recording: 'Det här samtalet spelas in.' },
  phrases: {
    goodbye: 'Tack för din tid. Hej då.',
    timeLimit: 'Jag måste avsluta samtalet nu. Tack för din tid, hej då.',
    askToRepeat: 'Ursäkta, något gick fel hos mig. Kan du säga det igen?',
    interrupted: 'Ursäkta, jag fick precis ett tekniskt problem. Ska jag fortsätta?',
    unfinished: 'Ursäkta, jag kan inte avsluta det svaret. Vad kan jag annars hjälpa till med?',
    technicalProblem: 'Jag är ledsen, jag har ett tekniskt problem och måste avsluta samtalet. Hej då.',
    suppressed: 'Jag förstår. Vi ringer dig inte igen. Hej då.',
    silence: 'Jag hör ingenting, så jag avslutar samtalet nu. Hej då.',
    waiting: ['Ett ögonblick, tack.', 'Jag håller på med det.', 'Det tar lite längre tid.'],
  },
  transfer: {
    connecting: 'Jag kopplar dig nu. Ett ögonblick, tack.',
    unreached: 'Tyvärr svarar ingen. Hur kan jag hjälpa dig på annat sätt?',
  },
  busy: 'Alla våra linjer är upptagna just nu. Ring gärna igen senare. Hej då.',
  listening: 'mm mmm mhm hm hmm aha ah jaha jaså aa okay ok just det',
  okay: 'okej precis exakt',
  yes: 'ja jo japp jadå visst javisst absolut självklart',
  no: 'nej nä nää',
  not: 'inte',
  farewell: {
    parting: 'hejdå hejhej hej tack farväl adjö varsågod',
    wishes: 'trevlig fin ha hörs ses med också detsamma orsak',
    others: 'så mycket det bra en du ni vi ingen för hjälpen din ok okej ja och då dag kväll helg',
  },
  screening: {
    asks: /(?:namn).{0,60}(?:varför|anledning|ärende|syfte)|(?:varför|anledning|ärende|syfte).{0,40}namn/,
    person: /\bmig\b|\bvad (?:var|är|heter)|\bvem\b|varför ringer/,
    asksName: /(?:säg|ange|uppge|tala in|lämna).{0,25}namn/,
    connects: /om .{0,40}(?:tillgänglig|anträffbar)|kopplar|försöker.{0,30}nå|vänta kvar|stanna.{0,10}linjen/,
    holds: /vänta|dröj|ett ögonblick|stanna.{0,10}linjen|kontrollerar|kopplar/,
    declines: /inte (?:tillgänglig|anträffbar)|kan inte (?:svara|ta emot)/,
    mailbox:
      /(?:^|[.,!] |vänligen |gärna |var god |\b(?:och|eller) )(?:lämna|tala in|läs in) .{0,25}meddelande|(?:det här är|detta är|välkommen till|du har kommit till|du har nått) .{0,25}(?:röstbrevlåda|telefonsvarare|mobilsvar)/,
    callsBack: /ringer .{0,20}(?:tillbaka|upp)/,
    tone: /efter (?:tonen|pipet|signalen)/,
    reached:
      /(?:du har kommit till|du har ringt till|ni har kommit till)(?!.*\?)|(?:numret|personen) du (?:ringer|söker|har ringt)|abonnenten/,
  },
  numbers: { to: 'till' },
};
