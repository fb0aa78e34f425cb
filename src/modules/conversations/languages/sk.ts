import type { LanguagePack } from './language-pack.js';

/** Slovak. */
export const sk: LanguagePack = {
  disclosure: { ai: 'Hovoríte s automatickým asistentom.', recording: 'Tento hovor sa nahráva.' },
  phrases: {
    goodbye: 'Ďakujem za váš čas. Dovidenia.',
    timeLimit: 'Musím teraz hovor ukončiť. Ďakujem za váš čas, dovidenia.',
    askToRepeat: 'Prepáčte, niečo sa u mňa nepodarilo. Môžete to, prosím, zopakovať?',
    interrupted: 'Prepáčte, nastal technický problém. Mám pokračovať?',
    unfinished: 'Prepáčte, túto odpoveď nemôžem dokončiť. S čím ešte môžem pomôcť?',
    technicalProblem: 'Ospravedlňujem sa, nastal technický problém a musím hovor ukončiť. Dovidenia.',
    suppressed: 'Rozumiem. Už vám nebudeme volať. Dovidenia.',
    silence: 'Nič nepočujem, preto hovor ukončím. Dovidenia.',
    waiting: ['Moment, prosím.', 'Ešte na tom pracujem.', 'Bude to chvíľu trvať.'],
  },
  transfer: {
    connecting: 'Prepájam vás. Moment, prosím.',
    unreached: 'Ospravedlňujem sa, nikto nie je k dispozícii. Ako inak môžem pomôcť?',
  },
  busy: 'Všetky naše linky sú momentálne obsadené. Zavolajte, prosím, neskôr. Dovidenia.',
  listening: 'mm mmm mhm hm hmm aha ah jasné no rozumiem chápem okay ok',
  okay: 'dobre okej presne výborne',
  yes: 'áno hej jasné iste určite samozrejme',
  no: 'nie',
  farewell: {
    parting: 'dovidenia videnia dopočutia počutia zbohom ďakujem vďaka ahoj čau',
    wishes: 'pekný pekné krásny príjemný dobrú vám podobne nápodobne majte maj',
    others: 'veľmi pekne do deň noc sa aj tiež za pomoc tak zatiaľ dobre ok áno a vašu dňa večer víkend',
  },
  screening: {
    asks: /meno.{0,60}(?:dôvod|prečo|účel)|(?:dôvod|prečo|účel).{0,40}meno/,
    person: /\bmi voláte|\bako (?:sa|ste)|\bkto\b|prečo (?:mi )?voláte|aké (?:je|bolo)/,
    asksName: /(?:povedzte|uveďte|nahrajte|vyslovte).{0,25}meno/,
    connects:
      /či .{0,40}(?:k dispozícii|dostupn)|(?:spojím|spojíme|prepoj)|pokús.{0,30}(?:zastihnúť|spojiť)|zostaňte.{0,10}linke|nezavesujte/,
    holds: /vyčkajte|počkajte|moment|na linke|nezavesujte|overí|prepoj/,
    declines: /nie je (?:k dispozícii|dostupn)|nemôže (?:hovor|prijať)/,
    mailbox:
      /(?:zanechajte|nechajte),? .{0,25}(?:odkaz|správu)|(?:toto je|dovolali ste sa|presmerovan.{0,3}) .{0,20}(?:hlasov[^ ]* schránk|odkazov[^ ]* schránk|záznamník)/,
    callsBack: /zavol(?:ám|áme) .{0,20}späť/,
    tone: /po (?:zaznení )?(?:tóne|tónu|signále|pípnutí)/,
    reached: /dovolali ste sa(?!.*\?)|volané číslo|volaný účastník/,
  },
  numbers: { to: 'až' },
};
