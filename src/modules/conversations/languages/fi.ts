import type { LanguagePack } from './language-pack.js';

/** Finnish. */
export const fi: LanguagePack = {
  disclosure: { ai: 'Puhutte automaattisen avustajan kanssa.', recording: 'Tämä puhelu nauhoitetaan.' },
  phrases: {
    goodbye: 'Kiitos ajastanne. Kuulemiin.',
    timeLimit: 'Minun täytyy nyt lopettaa puhelu. Kiitos ajastanne, kuulemiin.',
    askToRepeat: 'Anteeksi, jokin meni vikaan. Voisitteko sanoa sen uudelleen?',
    interrupted: 'Anteeksi, minulla oli juuri tekninen ongelma. Jatkanko?',
    unfinished: 'Anteeksi, en voi viedä tätä vastausta loppuun. Voinko auttaa jotenkin muuten?',
    technicalProblem:
      'Valitettavasti minulla on tekninen ongelma ja minun täytyy lopettaa puhelu. Kuulemiin.',
    suppressed: 'Selvä. Teille ei enää soiteta. Kuulemiin.',
    silence: 'En kuule mitään, joten lopetan puhelun nyt. Kuulemiin.',
    waiting: ['Pieni hetki, kiitos.', 'Selvitän asiaa vielä.', 'Tämä kestää hieman pidempään.'],
  },
  transfer: {
    connecting: 'Yhdistän teidät nyt. Pieni hetki, kiitos.',
    unreached: 'Valitettavasti ketään ei tavoitettu. Voinko auttaa jotenkin muuten?',
  },
  busy: 'Kaikki linjamme ovat juuri nyt varattuja. Soittakaa myöhemmin uudelleen. Kuulemiin.',
  listening: 'mm mmm mhm hm hmm ahaa aha ah ai jaa vai just juuri okay ok',
  okay: 'okei niin aivan selvä hyvä',
  yes: 'joo juu jep kyllä totta toki',
  no: 'ei en emme',
  farewell: {
    parting: 'kuulemiin näkemiin hei heihei moi moimoi moikka kiitos kiitti heippa päivänjatkoa illanjatkoa',
    wishes: 'viikonloppua samoin mukavaa yötä hyvä',
    others: 'oikein paljon hyvää ole olkaa päivää iltaa teille sinulle avusta ok okei joo kyllä ja vain',
  },
  screening: {
    asks: /nim[ei].{0,60}(?:syy|miksi|asia|aihe)|(?:syy|miksi|asia|aihe).{0,40}nim[ei]/,
    person: /\bminulle\b|\bmikä |\bkuka\b|\bmiksi soita/,
    asksName: /(?:sano|kerro|ilmoita|lausu|jätä).{0,25}nime/,
    connects: /onko .{0,40}(?:tavoitettavissa|vapaa)|yhdist|yrit.{0,30}tavoit|py(?:sy|sykää).{0,15}linjalla/,
    holds: /odota|hetki|linjalla|tarkist|yhdist/,
    declines: /ei (?:ole )?(?:tavoitettavissa|vapaa)|ei (?:juuri nyt )?saada yhteyttä|ei voi vastata/,
    mailbox:
      /(?:^|[.,!] |\b(?:voit|ja|tai|ole hyvä ja) )(?:jätä|jättäkää|jättää) .{0,25}viesti|siirretty vastaajaan|(?:tämä on|olet soittanut|olette soittaneet|tavoitit) .{0,25}vastaaja/,
    callsBack: /soit(?:an|amme) .{0,20}takaisin/,
    tone: /äänimerkin jälkeen|merkkiäänen jälkeen|piippauksen jälkeen/,
    reached:
      /(?:olet|olette) soittanut(?!.*\?)|numero(?:on)?,? johon (?:soitat|soititte|olet soittanut)|valitsemaa(?:si|nne) numero|tavoittelemaa(?:si|nne)/,
  },
  numbers: {},
};
