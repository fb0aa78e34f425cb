import type { FillerConfig } from './assistant.types.js';

/** By the language part of a BCP 47 tag. Complete, neutral utterances, so that any answer can follow. */
const PHRASES: Record<string, FillerConfig> = {
  en: {
    neutral: ['Okay.', 'Alright.', 'I see.', 'One moment.'],
    negative: ['I understand.', 'Oh, I see.', 'Hm, okay.'],
    positive: ['Great.', 'Sounds good.', 'Wonderful.'],
    question: ['Good question.', 'Let me see.', 'Let me think.'],
  },
  de: {
    neutral: ['Okay.', 'Alles klar.', 'Verstehe.', 'Einen Moment.'],
    negative: ['Ich verstehe.', 'Ach so.', 'Hm, okay.'],
    positive: ['Sehr gut.', 'Das klingt gut.', 'Wunderbar.'],
    question: ['Gute Frage.', 'Ich schaue kurz.', 'Lassen Sie mich überlegen.'],
  },
  fr: {
    neutral: ["D'accord.", 'Très bien.', 'Je vois.', 'Un instant.'],
    negative: ['Je comprends.', 'Ah, je vois.', "Hm, d'accord."],
    positive: ['Parfait.', 'Très bien.', 'Super.'],
    question: ['Bonne question.', 'Voyons voir.', 'Laissez-moi réfléchir.'],
  },
  es: {
    neutral: ['De acuerdo.', 'Muy bien.', 'Ya veo.', 'Un momento.'],
    negative: ['Entiendo.', 'Ah, ya veo.', 'Mm, de acuerdo.'],
    positive: ['Perfecto.', 'Estupendo.', 'Qué bien.'],
    question: ['Buena pregunta.', 'Déjeme ver.', 'Déjeme pensar.'],
  },
  it: {
    neutral: ["D'accordo.", 'Va bene.', 'Capisco.', 'Un momento.'],
    negative: ['Capisco.', 'Ah, ho capito.', 'Mm, va bene.'],
    positive: ['Perfetto.', 'Ottimo.', 'Benissimo.'],
    question: ['Bella domanda.', 'Vediamo.', 'Mi faccia pensare.'],
  },
  pt: {
    neutral: ['Certo.', 'Muito bem.', 'Entendo.', 'Um momento.'],
    negative: ['Compreendo.', 'Ah, entendo.', 'Hum, certo.'],
    positive: ['Perfeito.', 'Ótimo.', 'Que bom.'],
    question: ['Boa pergunta.', 'Deixe-me ver.', 'Deixe-me pensar.'],
  },
  nl: {
    neutral: ['Oké.', 'Prima.', 'Ik begrijp het.', 'Een moment.'],
    negative: ['Dat begrijp ik.', 'Ach zo.', 'Hm, oké.'],
    positive: ['Heel goed.', 'Dat klinkt goed.', 'Mooi.'],
    question: ['Goede vraag.', 'Even kijken.', 'Even nadenken.'],
  },
};

/** Without phrases a call asks for a moment in its language. */
const NONE: FillerConfig = { neutral: [], negative: [], positive: [], question: [] };

/** Fillers of a language. @param tag BCP 47 */
export const defaultFillers = (tag: string): FillerConfig => PHRASES[tag.split('-')[0] ?? ''] ?? NONE;
