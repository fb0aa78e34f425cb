import type { TextBlock } from './extracted-text.js';
import { HeadingPath } from './heading-path.js';

export interface PdfLine {
  text: string;
  /** Of the letters, in points. */
  size: number;
  /** Of the baseline, in points from the bottom of the page. */
  y: number;
  page: number;
}

/** Times the size of the body text from which a line is a heading. */
const HEADING_SCALE = 1.15;
const MAX_HEADING_LENGTH = 200;
const MAX_LEVELS = 4;
/** Times the size of letters between the baselines of two paragraphs; lines of one have at most 1.5. */
const PARAGRAPH_GAP = 1.6;
/** Lines at the edge of a page that can be a running title or a page number; below them are headings. */
const EDGE_LINES = 1;
/** Pages from which repeated lines are seen. */
const MIN_PAGES = 4;

/** Paragraphs and headings, which PDFs tell only by the size of letters and the gaps between lines. */
export function pdfBlocks(all: readonly PdfLine[], pages: number): TextBlock[] {
  const lines = withoutRunningTitles(all, pages);
  const levels = headingLevels(lines);
  const path = new HeadingPath();
  const blocks: TextBlock[] = [];
  for (const paragraph of paragraphsOf(lines)) {
    const [{ size, page }] = paragraph;
    const text = joined(paragraph.map((line) => line.text));
    const level = levels.get(size);
    if (level !== undefined && text.length <= MAX_HEADING_LENGTH && /\p{L}/u.test(text))
      path.add(level, text);
    else if (text !== '') blocks.push({ text, headings: path.texts, page, url: null });
  }
  return blocks;
}

type Paragraph = [PdfLine, ...PdfLine[]];

function paragraphsOf(lines: readonly PdfLine[]): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let previous: PdfLine | null = null;
  for (const line of lines) {
    const current = paragraphs.at(-1);
    if (current && previous && continues(previous, line)) current.push(line);
    else paragraphs.push([line]);
    previous = line;
  }
  return paragraphs;
}

const continues = (previous: PdfLine, line: PdfLine): boolean =>
  previous.page === line.page &&
  previous.size === line.size &&
  Math.abs(previous.y - line.y) <= line.size * PARAGRAPH_GAP;

/** A word that was divided at the end of a line is whole again. */
function joined(lines: readonly string[]): string {
  return lines.reduce((text, line) => {
    if (/\p{L}[\u00ad\u2010-]$/u.test(text) && /^\p{Ll}/u.test(line)) return text.slice(0, -1) + line;
    return text === '' ? line : `${text} ${line}`;
  }, '');
}

/** Levels by the size of letters, the largest first. */
function headingLevels(lines: readonly PdfLine[]): Map<number, number> {
  const characters = new Map<number, number>();
  for (const { size, text } of lines) characters.set(size, (characters.get(size) ?? 0) + text.length);
  const [body = 0] = [...characters].sort((one, other) => other[1] - one[1])[0] ?? [];
  const sizes = [...characters.keys()].filter((size) => size >= body * HEADING_SCALE);
  sizes.sort((one, other) => other - one);
  return new Map(sizes.map((size, index) => [size, Math.min(index + 1, MAX_LEVELS)]));
}

/** Without the lines that stand at the edge of most pages, whatever number they contain. */
function withoutRunningTitles(lines: readonly PdfLine[], pages: number): PdfLine[] {
  if (pages < MIN_PAGES) return [...lines];
  const byPage = new Map<number, PdfLine[]>();
  for (const line of lines) {
    const own = byPage.get(line.page);
    if (own) own.push(line);
    else byPage.set(line.page, [line]);
  }
  const edges = new Set(
    [...byPage.values()].flatMap((own) => [...own.slice(0, EDGE_LINES), ...own.slice(-EDGE_LINES)]),
  );
  const counts = new Map<string, number>();
  for (const { text } of edges) counts.set(shape(text), (counts.get(shape(text)) ?? 0) + 1);
  return lines.filter((line) => !edges.has(line) || (counts.get(shape(line.text)) ?? 0) <= pages / 2);
}

const shape = (text: string): string => text.replace(/\d+/g, '0');
