import { changePack, spokenHours, type LanguagePack } from './language-pack.js';

/** German. */
export const de: LanguagePack = {
  disclosure: {
    ai: 'Sie sprechen mit einem automatischen Assistenten.',
    recording: 'Dieses Gespräch wird aufgezeichnet.',
  },
  phrases: {
    goodbye: 'Vielen Dank für Ihre Zeit. Auf Wiederhören.',
    timeLimit: 'Ich muss das Gespräch jetzt beenden. Vielen Dank für Ihre Zeit, auf Wiederhören.',
    askToRepeat: 'Entschuldigung, bei mir ist etwas schiefgegangen. Könnten Sie das bitte noch einmal sagen?',
    interrupted: 'Entschuldigung, ich hatte gerade ein technisches Problem. Soll ich weitermachen?',
    unfinished:
      'Entschuldigung, diese Antwort kann ich nicht zu Ende führen. Was kann ich sonst für Sie tun?',
    technicalProblem:
      'Es tut mir leid, ich habe ein technisches Problem und muss das Gespräch beenden. Auf Wiederhören.',
    suppressed: 'Ich verstehe. Sie werden nicht mehr angerufen. Auf Wiederhören.',
    silence: 'Ich höre nichts mehr und beende deshalb das Gespräch. Auf Wiederhören.',
    waiting: ['Einen Moment, bitte.', 'Ich bin noch dabei.', 'Es dauert noch ein wenig.'],
  },
  transfer: {
    connecting: 'Ich verbinde Sie jetzt. Einen Moment, bitte.',
    unreached: 'Es tut mir leid, ich konnte niemanden erreichen. Wie kann ich Ihnen sonst helfen?',
  },
  busy: 'Zurzeit sind alle Leitungen belegt. Bitte rufen Sie später noch einmal an. Auf Wiederhören.',
  listening: 'mhm hm hmm mm aha ah ach so alles na sehr gut verstehe verstanden okay ok',
  okay: 'genau stimmt richtig',
  yes: 'ja jo jep jap jawohl gern gerne klar natürlich selbstverständlich',
  no: 'nein nee nö',
  not: 'nicht',
  farewell: {
    parting:
      'tschüss tschüß tschüs ciao tschau wiederhören wiedersehen wiederschauen danke dank servus baba machs',
    wishes: 'schönen schönes gute bis ihnen dir euch ebenso ebenfalls gleichfalls mach machen geschehen',
    others:
      'auf vielen schön noch bald dann später gut nacht bitte gern gerne alles klar ja sie s rest vom ' +
      'okay ok für die den das ihre hilfe zeit einen ein sehr auch tag abend wochenende',
  },
  screening: {
    asks: /namen?.{0,60}(?:grund|anliegen|warum|weshalb|zweck)|(?:grund|anliegen|warum).{0,40}namen?/,
    person: /\bmich\b|\bwie (?:war|ist|hei(?:ß|ss)|lautet)|\bwer\b|(?:warum|weshalb|wieso) ruf/,
    asksName: /(?:nenn|sag|sprech|sprich|gib|geben).{0,40}namen|namen? .{0,20}(?:nennen|sagen|angeben)/,
    connects:
      /ob .{0,40}(?:verfügbar|erreichbar|da ist|zeit hat)|verbinde|durch(?:zu)?stell|stelle .{0,20}durch|versuche.{0,40}erreichen|bleib.{0,15}(?:dran|in der leitung|am apparat)/,
    holds: /dran|in der leitung|am apparat|(?:moment|augenblick)|warten|prüfe|schaue|verbinde|nachsehen/,
    declines: /nicht (?:erreichbar|verfügbar|entgegen)|steht nicht zur verfügung/,
    mailbox:
      /(?<!\b(?:ich|er|sie|wir|habe|soll) )(?:\bhinterlass(?:en sie|e|t)?|\bsprechen sie|\bsprich|\bsprecht) (?!(?:mir |uns |bitte )*keine)[^.?!]{0,40}(?:nachricht|rufnummer)|(?:^|[.,!] )bitte [^.?!]{0,30}nachricht(?:en)? (?:hinterlassen|aufsprechen)|(?:(?:dies|das|hier) ist|verbunden mit|sprechen mit|willkommen bei|weitergeleitet) [^.?!]{0,25}(?:mailbox|mobilbox|combox|sprachbox|anrufbeantworter)|\bdie mailbox [^.?!]{0,30}\bist voll/,
    callsBack: /rufen? (?:sie|dich) .{0,30}zurück|zurückrufen/,
    tone: /signalton|nach dem (?:ton|signal|piep|beep|pfeif)/,
    reached:
      /(?:sie haben|das ist) (?:den|der|die) (?:.{0,20})?(?:anschluss|nummer)(?!.*\?)|gew(?:ählte|ünschte).{0,12}(?:teilnehmer|nummer|gesprächspartner)/,
  },
  numbers: {
    to: 'bis',
    currencies: { EUR: ['Euro', 'Euro'], USD: ['Dollar', 'Dollar'], GBP: ['Pfund', 'Pfund'] },
    time: spokenHours('Uhr'),
  },
};

/** Of Switzerland. */
export const deCH = changePack(de, {
  no: `${de.no} nei`,
  farewell: {
    parting: `${de.farewell.parting} adieu ade adé merci widerluege`,
    wishes: `${de.farewell.wishes} schöne`,
    others: `${de.farewell.others} vilmal uf en abig`,
  },
});
