import { numberWordsIn } from './number-words.js';
import { readTokens, type Token } from './number-items.js';
import {
  AT_WORDS,
  BEFORE_EMAIL,
  DASH_WORDS,
  DOT_WORDS,
  EVERYDAY_AT_WORDS,
  MAIL_HOST,
  SURNAME_PARTICLES,
} from './spoken-words.js';

const WRITTEN = /[\p{L}\d][\p{L}\d._%+-]{0,63}@[\p{L}\d-]+(?:\.[\p{L}\d-]+)+/gu;
/** Country codes and the usual others. */
const TOP_LEVEL =
  /^(?:[a-z]{2}|com|net|org|info|biz|edu|gov|mil|name|online|shop|email|cloud|dev|app|io|berlin|wien)$/;
/** Of the name and the host each. */
const MAX_TOKENS = 24;

export interface TextSpan {
  start: number;
  end: number;
}

/**
 * E-mail addresses, written or spelled with words ("john dot doe at gmail dot com").
 * @param language ISO 639-1
 * @param said what was said before the text
 */
export function findEmails(text: string, language: string, said = ''): TextSpan[] {
  const written = [...text.matchAll(WRITTEN)].map(({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
  }));
  const tokens = readTokens(text);
  const { valueOf } = numberWordsIn(language);
  const spoken = tokens.flatMap((token, index) => {
    if (token.text !== '@' && !AT_WORDS.has(token.word)) return [];
    const end = hostEnd(tokens, index + 1);
    const start = end === null ? null : nameStart(tokens, index - 1, (word) => valueOf.has(word));
    if (start === null || end === null) return [];
    if (EVERYDAY_AT_WORDS.has(token.word)) {
      if (language === 'fr' && token.word === 'et') return [];
      const name = text.slice(start, tokens[index - 1]?.end);
      const before = text.slice(0, start);
      // "It's at …"
      if (/['’]$/.test(before)) return [];
      // After one plain word may be the address of a website.
      const isPlainWord = /^\p{L}{2,}$/u.test(name) && !valueOf.has(name.toLowerCase());
      const isWhole = before.trim() === '' && !/[\p{L}\d]/u.test(text.slice(end));
      const isEmail =
        BEFORE_EMAIL.test(`${said.slice(-80)} ${before.slice(-80)}`.trimStart()) ||
        MAIL_HOST.test(text.slice(token.end, end)) ||
        (isWhole && DOT_WORDS.has(tokens.findLast((one) => one.end < end && isDot(one))?.word ?? ''));
      if (isPlainWord && !isEmail) return [];
    }
    return [{ start, end }];
  });
  return unite([...written, ...spoken].sort((a, b) => a.start - b.start));
}

/** "anna dot meier@example.com" is found in both ways. */
function unite(spans: readonly TextSpan[]): TextSpan[] {
  const united: TextSpan[] = [];
  for (const span of spans) {
    const last = united.at(-1);
    if (last && span.start < last.end) last.end = Math.max(last.end, span.end);
    else united.push({ ...span });
  }
  return united;
}

const isPart = ({ text }: Token): boolean => /^[\p{L}\d]/u.test(text);
const isDot = ({ text, word }: Token): boolean => text === '.' || DOT_WORDS.has(word);
const isLink = (token: Token): boolean =>
  isDot(token) || /^[-_]$/.test(token.text) || DASH_WORDS.has(token.word);

/** The end of "gmail dot com" after the at; null: no host follows. */
function hostEnd(tokens: readonly Token[], first: number): number | null {
  let end: number | null = null;
  let afterDot = false;
  for (let index = first; index < Math.min(tokens.length, first + MAX_TOKENS); index += 1) {
    const token = tokens[index] as Token;
    const before = tokens[index - 1];
    if (isDot(token) && index > first) {
      // A full stop ends the sentence, unless the next word follows without a space.
      if (token.text === '.' && tokens[index + 1]?.start !== token.end) break;
      afterDot = true;
    } else if (isLink(token) && index > first) afterDot = false;
    else if (!isPart(token)) break;
    else if (afterDot) {
      if (TOP_LEVEL.test(token.word)) end = token.end;
      afterDot = false;
    } else if (index > first && before && !isLink(before) && !isSpelled(before) && end !== null) break;
    else if (index > first + 3 && before && !isLink(before) && !isSpelled(before)) break;
  }
  return end;
}

const isSpelled = ({ text }: Token): boolean => /^(?:[a-z]|\d+)$/i.test(text);

/** The end of a contraction ("that's") is no letter of a name. */
const mayPrecede = (token: Token, before: Token | undefined): boolean =>
  isPart(token) && !(before && /^['’]$/.test(before.text) && before.end === token.start);

/** The start of "john dot doe" before the at; null: there is no name. */
function nameStart(
  tokens: readonly Token[],
  last: number,
  isNumber: (word: string) => boolean,
): number | null {
  let index = last;
  const here = tokens[index];
  if (!here || !isPart(here) || DOT_WORDS.has(here.word)) return null;
  for (let count = 0; count < MAX_TOKENS && index > 0; count += 1) {
    const current = tokens[index] as Token;
    const before = tokens[index - 1] as Token;
    const further = tokens[index - 2];
    const isJoined = isSpelled(current) || isNumber(current.word);
    if (
      isLink(before) &&
      further &&
      isPart(further) &&
      !(before.text === '.' && before.end !== current.start)
    )
      index -= 2;
    else if (SURNAME_PARTICLES.has(before.word) && further && isLink(further)) index -= 1;
    else if (
      isJoined &&
      mayPrecede(before, further) &&
      (isSpelled(before) || !isSpelled(current) || /^\d/.test(current.text))
    )
      index -= 1;
    else break;
  }
  return tokens[index]?.start ?? null;
}
