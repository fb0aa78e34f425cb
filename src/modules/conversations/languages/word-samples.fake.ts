/** What customers say in a language, of which the service decides without a model. */
interface WordSamples {
  /** Of a listener: the assistant goes on. */
  listens: string[];
  /** Whole answers to a question. */
  answers: string[];
  /** Into the assistant's goodbye, which ends the call. */
  parts: string[];
  /** Neither: these stop the assistant, also its goodbye. */
  stops: string[];
}

/** By language, or by tag where a region speaks differently. */
export const WORD_SAMPLES: Readonly<Record<string, WordSamples>> = {
  en: {
    listens: ['Got it.', 'Exactly.', 'Mm-hmm, great.'],
    answers: ['Nah.', 'Oh yes.', 'Absolutely.'],
    parts: [
      'You too, bye.',
      'You too.',
      'Have a good day!',
      'You’re welcome, bye.',
      'No thanks.',
      'Talk to you later.',
    ],
    stops: ['Wait.', 'No.', 'Hello.', 'One moment.'],
  },
  de: {
    listens: ['Alles klar.', 'Ja, stimmt.', 'Sehr gut.', 'Verstehe.'],
    answers: ['Nö.', 'Ja, gern.', 'Na klar.', 'Ja, genau.'],
    parts: ['Bis dann.', 'Machen Sie’s gut.', 'Ihnen auch.', 'Gern geschehen, tschau.', 'Gute Nacht.'],
    stops: ['Moment.', 'Halt.', 'Nein.', 'Ich auch.', 'Guten Tag.'],
  },
  'de-CH': {
    listens: ['Ja, genau.'],
    answers: ['Nei.', 'Ja, gern.'],
    parts: ['Tschau.', 'Adé merci.', 'Schöne Abig.'],
    stops: ['Moment.', 'Grüezi.'],
  },
  nl: {
    listens: ['Ja hoor.', 'Precies.', 'Klopt.', 'Is goed.'],
    answers: ['Nee hoor.', 'Neen.', 'Jazeker.'],
    parts: ['U ook.', 'Hetzelfde.', 'Graag gedaan.', 'Tot later.', 'Doeg.'],
    stops: ['Wacht.', 'Nee.', 'Ik ook.', 'Een probleem.'],
  },
  sv: {
    listens: ['Just det.', 'Javisst.', 'Exakt.'],
    answers: ['Absolut.', 'Nää.'],
    parts: ['Du med!', 'Detsamma.', 'Vi hörs.', 'Ha en bra dag!', 'Ingen orsak.'],
    stops: ['Vänta.', 'Nej.', 'Jag med.'],
  },
  da: {
    listens: ['Lige præcis.', 'Javel.', 'Fint.'],
    answers: ['Ja tak.', 'Næh.', 'Nemlig.'],
    parts: ['I lige måde.', 'Hav en god dag.', 'Vi ses.', 'Velbekomme.', 'God weekend.'],
    stops: ['Vent.', 'Nej.', 'God dag.'],
  },
  nb: {
    listens: ['Javel.', 'Greit.', 'Jaha.'],
    answers: ['Ja takk.', 'Næ.', 'Stemmer.'],
    parts: ['I like måte.', 'Vi snakkes.', 'Bare hyggelig.', 'Deg også.', 'God helg.'],
    stops: ['Vent.', 'Nei.', 'God dag.'],
  },
};
