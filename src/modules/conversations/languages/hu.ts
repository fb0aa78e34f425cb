import type { LanguagePack } from './language-pack.js';

/** Hungarian. */
export const hu: LanguagePack = {
  disclosure: { ai: 'Ön egy automatikus asszisztenssel beszél.', recording: 'A beszélgetést rögzítjük.' },
  phrases: {
    goodbye: 'Köszönöm az idejét. Viszonthallásra.',
    timeLimit: 'Most be kell fejeznem a hívást. Köszönöm az idejét, viszonthallásra.',
    askToRepeat: 'Elnézést, valami hiba történt nálam. Megismételné, kérem?',
    interrupted: 'Elnézést, az előbb műszaki hiba lépett fel. Folytathatom?',
    unfinished: 'Elnézést, ezt a választ nem tudom befejezni. Miben segíthetek még?',
    technicalProblem: 'Sajnálom, műszaki hiba lépett fel, és be kell fejeznem a hívást. Viszonthallásra.',
    suppressed: 'Értem. Többé nem hívjuk Önt. Viszonthallásra.',
    silence: 'Nem hallok semmit, ezért most befejezem a hívást. Viszonthallásra.',
    waiting: ['Egy pillanat türelmét kérem.', 'Még dolgozom rajta.', 'Ez még eltart egy kicsit.'],
  },
  transfer: {
    connecting: 'Most kapcsolom. Egy pillanat türelmét kérem.',
    unreached: 'Sajnálom, senkit sem sikerült elérni. Miben segíthetek még?',
  },
  busy: 'Jelenleg minden vonalunk foglalt. Kérjük, hívjon vissza később. Viszonthallásra.',
  listening: 'mm mmm mhm hm hmm ühüm aha ah értem világos okay ok',
  okay: 'oké jó rendben pontosan',
  yes: 'igen ja persze hogyne természetesen',
  no: 'nem dehogy',
  not: 'ne',
  farewell: {
    parting: 'viszonthallásra viszhall viszlát köszönöm köszi szívesen szia sziasztok',
    wishes: 'szép kellemes önnek neked minden éjszakát kívánom',
    others:
      'szépen nagyon további jó jót is viszont a segítségét segítséget igen oké ok és akkor napot estét ' +
      'hétvégét',
  },
  screening: {
    asks: /nev(?:ét|e|ed).{0,60}(?:ok|miért|cél|téma)|(?:ok(?:át|a)|miért|cél).{0,40}nev(?:ét|e)/,
    person: /\bengem\b|\bhogy hívj|\bki (?:az|beszél|ön)\b|mi volt a nev|miért hív/,
    asksName: /(?:mondja|adja meg|közölje|diktálja).{0,25}nev/,
    connects:
      /elérhető-e|kapcsol|(?:próbál|megpróbál).{0,30}(?:elérni|kapcsolni)|tartsa.{0,10}vonalat|maradjon.{0,10}vonalban/,
    holds: /várjon|türelm|pillanat|vonalban|tartsa a vonalat|ellenőrz|kapcsol/,
    declines: /nem (?:elérhető|érhető el)|nem tudja fogadni/,
    mailbox:
      /\bhagyj(?:on|anak)?,? .{0,25}üzenet|hagyja meg .{0,15}üzenet|\bez .{0,30}(?:hangpost|üzenetrögzítő)/,
    callsBack: /vissza(?:hív|fogom hívni)/,
    tone: /sípszó (?:után|elhangzása)|hangjelzés után|a jelzés után/,
    reached: /(?:ön|ön a).{0,30}hívta(?!.*\?)|a hívott szám|az ön által hívott/,
  },
  numbers: {},
};
