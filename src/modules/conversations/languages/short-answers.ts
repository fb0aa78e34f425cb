import { packOf } from './languages.js';
import { splitWords, toWords } from './word-lists.js';

/** In every language. */
export const OKAY = 'ok okay';

/** Please and thank you, beside yes and no; words of other languages answer nothing. */
const POLITE = [
  'please thanks thank you bitte danke schön sehr merci s il vous te plaît por favor gracias sisplau si us plau gràcies',
  'obrigado obrigada grazie per cortesia graag alsjeblieft alstublieft dank u je wel proszę dziękuję prosím děkuji',
  'díky ďakujem tack takk tak gerne venligst gjerne gärna kiitos kérem köszönöm vă rog mulțumesc hvala molim моля',
  'благодаря пожалуйста спасибо будь ласка дякую παρακαλώ ευχαριστώ lütfen teşekkürler teşekkür ederim من فضلك شكرا شكراً شكرًا',
  'בבקשה תודה कृपया धन्यवाद शुक्रिया お願いします です ありがとう 감사합니다 고마워요 请 請 谢谢 謝謝 cảm ơn ạ tolong terima kasih pak bu',
].join(' ');

const MAX_WORDS = 4;

/** Whether the text is a bare yes, no or okay, of any politeness, with sounds of a listener ("oh yes"). @param language BCP 47 */
export function isYesOrNo(text: string, language: string): boolean {
  const { listening, okay, yes, no } = packOf(language);
  const answers = toWords(OKAY, okay, yes, no);
  const known = new Set([...answers, ...toWords(listening, POLITE)]);
  const words = splitWords(text, language, known);
  // A number says more: "Yes, 5."
  if (words.length === 0 || words.length > MAX_WORDS || /\p{N}/u.test(text)) return false;
  return words.every((word) => known.has(word)) && words.some((word) => answers.has(word));
}
