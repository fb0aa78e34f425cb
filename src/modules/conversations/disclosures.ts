interface Disclosure {
  ai: string;
  recording: string;
}

const ENGLISH: Disclosure = {
  ai: 'You are speaking with an automated assistant.',
  recording: 'This call is recorded.',
};

const TEXTS: Record<string, Disclosure> = {
  en: ENGLISH,
  de: {
    ai: 'Sie sprechen mit einem automatischen Assistenten.',
    recording: 'Dieses Gespräch wird aufgezeichnet.',
  },
  es: { ai: 'Está hablando con un asistente automático.', recording: 'Esta llamada se graba.' },
  fr: { ai: 'Vous parlez avec un assistant automatique.', recording: 'Cet appel est enregistré.' },
  it: { ai: 'Sta parlando con un assistente automatico.', recording: 'Questa chiamata viene registrata.' },
  pt: { ai: 'Está a falar com um assistente automático.', recording: 'Esta chamada é gravada.' },
  nl: { ai: 'U spreekt met een automatische assistent.', recording: 'Dit gesprek wordt opgenomen.' },
  pl: { ai: 'Rozmawia Pani lub Pan z automatycznym asystentem.', recording: 'Ta rozmowa jest nagrywana.' },
};

/** What has to be said before the first line, in the call's language; English where the house has no words. */
export function disclosures(
  language: string,
  { ai, recording }: { ai: boolean; recording: boolean },
): string[] {
  const texts = TEXTS[language.slice(0, 2).toLowerCase()] ?? ENGLISH;
  return [...(ai ? [texts.ai] : []), ...(recording ? [texts.recording] : [])];
}
