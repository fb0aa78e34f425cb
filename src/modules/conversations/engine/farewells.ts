import { countWords, isBackchannel } from './interruption-policy.js';

/** Words of a farewell, and words that may be beside them. */
interface FarewellWords {
  parting: string;
  others: string;
}

const FAREWELLS: Record<string, FarewellWords> = {
  en: {
    parting: 'bye goodbye byebye cheers thanks thank care later soon day evening night weekend',
    others:
      'good you very so much a an lot have nice great lovely wonderful perfect fine too same to see take talk speak ' +
      'then now all alright right ok okay yes yeah for your the help time call and again',
  },
  de: {
    parting:
      'tschüss tschüß tschüs ciao wiederhören wiedersehen wiederschauen danke dank servus tag abend wochenende',
    others:
      'auf vielen schönen schönes schön noch ihnen dir euch ebenso ebenfalls gleichfalls bis bald dann gut alles klar ' +
      'ja okay ok für die den das ihre hilfe zeit einen ein sehr auch',
  },
  es: {
    parting: 'adiós adios chao chau gracias hasta día tarde noche',
    others:
      'muchas muy amable buen buena buenas luego pronto mañana igualmente a usted ti que le te vaya bien tenga un una ' +
      'por su tu ayuda tiempo vale sí claro ok nos vemos y',
  },
  fr: {
    parting: 'revoir merci bientôt salut adieu journée soirée',
    others:
      'au à a beaucoup bien bonne belle excellente vous toi de même et pour votre aide oui d accord très également ok',
  },
  it: {
    parting: 'arrivederci arrivederla grazie ciao addio giornata serata',
    others:
      'mille molte tante buona a lei te altrettanto e per il suo tuo aiuto tempo sì va bene anche presto ok',
  },
  pt: {
    parting: 'tchau adeus obrigado obrigada até dia tarde noite',
    others:
      'muito logo mais breve bom boa igualmente para você o a senhor senhora também e pela sua ajuda sim tá bem ok',
  },
  nl: {
    parting: 'dag doei bedankt dank ziens horens avond weekend',
    others: 'tot u je jij wel hoor fijne prettige ook hartelijk ja oké ok voor de uw hulp en nog een zelfde',
  },
  pl: {
    parting: 'widzenia usłyszenia dziękuję dzięki pa cześć dnia wieczoru',
    others: 'do bardzo miłego dobrego nawzajem wzajemnie tak i za pomoc dobrze pan pani panu ok',
  },
};

/** In other languages. */
const SHORT_WORDS = 2;

/** Whether the customer only says goodbye: "Thank you, bye", with a name at most. @param language BCP 47 */
export function isFarewell(text: string, language: string): boolean {
  if (isBackchannel(text, language)) return true;
  const known = FAREWELLS[language.slice(0, 2).toLowerCase()];
  if (!known) return countWords(text, language) <= SHORT_WORDS;
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const parting = new Set(known.parting.split(' '));
  const others = new Set(known.others.split(' '));
  const unknown = words.filter((word) => !parting.has(word) && !others.has(word));
  return words.some((word) => parting.has(word)) && unknown.length <= 1;
}
