import type { ExtractedText, TextBlock } from './extracted-text.js';
import { HeadingPath } from './heading-path.js';

/** `## Opening hours ##` */
const MARKED_HEADING = /^(#{1,6})[ \t]+(\S.*)$/;
/** The second line of a heading that is underlined, of the first or the second level. */
const UNDERLINE = /^(?:={3,}|-{3,})[ \t]*$/;
const FENCE = /^(?:```|~~~)/;

/** Paragraphs of a text, which blank lines separate, below headings as in Markdown. */
export function plainText(text: string, url: string | null = null): ExtractedText {
  const path = new HeadingPath();
  const blocks: TextBlock[] = [];
  let lines: string[] = [];
  let isCode = false;
  const endBlock = (): void => {
    const joined = lines.join('\n').trim();
    if (joined !== '') blocks.push({ text: joined, headings: path.texts, page: null, url });
    lines = [];
  };
  for (const raw of text.split('\n')) {
    const line = raw.trimEnd();
    if (FENCE.test(line)) isCode = !isCode;
    const marked = isCode ? null : MARKED_HEADING.exec(line);
    if (marked) {
      endBlock();
      path.add(marked[1]?.length ?? 1, withoutClosingMarks(marked[2] ?? ''));
    } else if (!isCode && lines.length === 1 && UNDERLINE.test(line)) {
      path.add(line.startsWith('=') ? 1 : 2, lines.pop() ?? '');
    } else if (line === '' && !isCode) {
      endBlock();
    } else lines.push(line);
  }
  endBlock();
  return { title: commonHeading(blocks), blocks };
}

/** Without a regular expression: of many marks it would try each as the first. */
function withoutClosingMarks(text: string): string {
  let end = text.length;
  while (text[end - 1] === '#') end--;
  return end < text.length && /\s/.test(text[end - 1] ?? '') ? text.slice(0, end) : text;
}

/** The heading above all of the text; the first of several is no title of the others. */
function commonHeading(blocks: readonly TextBlock[]): string | null {
  const [first = null] = blocks[0]?.headings ?? [];
  return blocks.every(({ headings }) => headings[0] === first) ? first : null;
}
