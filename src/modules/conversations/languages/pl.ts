import type { LanguagePack } from './language-pack.js';

/** Polish. */
export const pl: LanguagePack = {
  disclosure: {
    ai: 'Rozmawia Pani lub Pan z automatycznym asystentem.',
    recording: 'Ta rozmowa jest nagrywana.',
  },
  phrases: {
    goodbye: 'Dziękuję za poświęcony czas. Do widzenia.',
    timeLimit: 'Muszę już zakończyć rozmowę. Dziękuję za poświęcony czas, do widzenia.',
    askToRepeat: 'Przepraszam, coś poszło nie tak po mojej stronie. Czy można powtórzyć?',
    interrupted: 'Przepraszam, wystąpił u mnie problem techniczny. Czy mam mówić dalej?',
    unfinished: 'Przepraszam, nie mogę dokończyć tej odpowiedzi. W czym jeszcze mogę pomóc?',
    technicalProblem: 'Przepraszam, mam problem techniczny i muszę zakończyć rozmowę. Do widzenia.',
    suppressed: 'Rozumiem. Nie będziemy więcej dzwonić. Do widzenia.',
    silence: 'Nic nie słyszę, więc kończę rozmowę. Do widzenia.',
    waiting: ['Chwileczkę, proszę.', 'Jeszcze nad tym pracuję.', 'To jeszcze chwilę potrwa.'],
  },
  transfer: {
    connecting: 'Już łączę. Chwileczkę, proszę.',
    unreached: 'Przepraszam, nikt nie odbiera. W czym jeszcze mogę pomóc?',
  },
  busy: 'W tej chwili wszystkie linie są zajęte. Proszę zadzwonić później. Do widzenia.',
  listening: 'mm mmm mhm yhm hm aha ah okay ok no rozumiem zgadza się',
  okay: 'okej dobrze dobra dokładnie',
  yes: 'tak jasne oczywiście pewnie',
  no: 'nie',
  farewell: {
    parting: 'widzenia usłyszenia zobaczenia dziękuję dzięki dobranoc pa cześć',
    wishes: 'miłego dobrego nawzajem wzajemnie również proszę razie',
    others: 'do na bardzo wszystkiego tak i za pomoc dobrze pan pani panu państwu ok dnia wieczoru weekendu',
  },
  screening: {
    asks: /(?:imię|nazwisk|nazwę).{0,60}(?:powód|cel|dlaczego|sprawie)|(?:powód|cel|sprawie).{0,40}(?:imię|nazwisk)/,
    person: /\bmnie\b|\bjak(?:ie|i|a)? (?:jest|było|był|się|ma)|\bkto\b/,
    asksName: /przedstaw|(?:poda|powie|nagra).{0,30}(?:imię|nazwisk)/,
    connects:
      /czy .{0,40}(?:dostępn|może)|połącz(?:ę|ymy|yć)|łączę|łączymy|przełącz|prób.{0,20}skontaktować|proszę (?:czekać|zaczekać)|nie rozłączać/,
    holds: /proszę (?:czekać|zaczekać|się nie rozłączać)|chwil|sprawdz|łączę/,
    declines: /nie jest dostępn|niedostępn|nie może (?:odebrać|rozmawiać)/,
    mailbox:
      /(?:\bproszę|prosimy)(?: o)? (?:zostaw|pozostaw|nagra)[^.?!]{0,30}wiadomo|(?:^|[.,!] )(?:zostaw|zostawcie|nagraj|nagrajcie) [^.?!]{0,20}wiadomość|(?:^|[.,!] |\btu )poczta głosowa|przekierowan[^ ]* (?:na|do) poczt/,
    callsBack: /oddzwoni/,
    tone: /po (?:usłyszeniu |tym )?(?:sygnale|sygnału)|sygnał dźwiękow/,
    reached: /dodzwoniłeś się|dodzwonili się|abonent|wybrany numer/,
  },
  numbers: { to: 'do' },
};
