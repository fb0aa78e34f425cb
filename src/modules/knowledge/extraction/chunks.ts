import type { Chunk, ExtractedText, TextBlock } from './extracted-text.js';
import { countWords, sentencesOf, wordGroups } from './words.js';

/** Words of a chunk at most; a section that is longer is divided evenly, so its chunks have half of it at least. */
export const MAX_CHUNK_WORDS = 400;
/** A section of fewer words joins its neighbour under the same heading. */
const SMALL_SECTION_WORDS = 60;
/** A paragraph of more words is divided at its sentences. */
const LONG_PARAGRAPH_WORDS = 150;
const PARAGRAPH_BREAK = '\n\n';

/** What is not divided: a paragraph, or a sentence of a long one. */
interface Unit extends TextBlock {
  words: number;
  /** What separates it from the unit before it. */
  gap: string;
}

interface Section {
  units: Unit[];
  words: number;
}

/** Chunks of 200 to 400 words where the text has so many, ended by headings, paragraphs and sentences. */
export function toChunks({ blocks }: ExtractedText): Chunk[] {
  return joinSmall(sectionsOf(blocks)).flatMap(divide);
}

/** Blocks in a row with the same headings and the same page of a website. */
function sectionsOf(blocks: readonly TextBlock[]): Section[] {
  const sections: Section[] = [];
  for (const block of blocks) {
    const units = unitsOf(block);
    const last = sections.at(-1);
    const words = units.reduce((sum, unit) => sum + unit.words, 0);
    if (last && isSameSection(last.units[0], block)) {
      for (const unit of units) last.units.push(unit);
      last.words += words;
    } else if (units.length > 0) sections.push({ units, words });
  }
  return sections;
}

const isSameSection = (first: TextBlock | undefined, block: TextBlock): boolean =>
  first !== undefined && first.url === block.url && isSamePath(first.headings, block.headings);

function unitsOf(block: TextBlock): Unit[] {
  const text = block.text.trim();
  const words = countWords(text);
  if (words === 0) return [];
  if (words <= LONG_PARAGRAPH_WORDS) return [{ ...block, text, words, gap: PARAGRAPH_BREAK }];
  const parts = sentencesOf(text).flatMap((sentence) => wordGroups(sentence, MAX_CHUNK_WORDS));
  return parts.map((part, index) => ({
    ...block,
    text: part,
    words: countWords(part),
    gap: index === 0 ? PARAGRAPH_BREAK : ' ',
  }));
}

/** Small sections in a row below one heading become one, in which their own headings are lines. */
function joinSmall(sections: readonly Section[]): Section[] {
  const joined: Section[] = [];
  for (const section of sections) {
    const last = joined.at(-1);
    if (last && isJoined(last, section)) {
      last.units.push(...withHeading(last, section));
      last.words += section.words;
    } else joined.push({ ...section });
  }
  return joined.map(({ units, words }) => ({ units: withCommonPath(units), words }));
}

function isJoined(last: Section, next: Section): boolean {
  const [one] = last.units;
  const [other] = next.units;
  if (!one || !other || one.url !== other.url || last.words + next.words > MAX_CHUNK_WORDS / 2) return false;
  const isSmall = last.words < SMALL_SECTION_WORDS || next.words < SMALL_SECTION_WORDS;
  // The text between a heading and its first subheading belongs to both.
  const parent = one.headings.slice(0, Math.min(one.headings.length, other.headings.length - 1));
  return isSmall && parent.length > 0 && isSamePath(parent, other.headings.slice(0, -1));
}

/** The units with the heading that the joined section no longer has as its own. */
function withHeading(last: Section, { units: [first, ...rest] }: Section): Unit[] {
  const heading = first?.headings.at(-1);
  const [start] = last.units;
  if (!first || !heading || !start) return [];
  return [{ ...first, text: `${heading}\n${first.text}`, words: first.words + countWords(heading) }, ...rest];
}

function withCommonPath(units: Unit[]): Unit[] {
  const [first] = units;
  const other = units.find(({ headings }) => first && !isSamePath(headings, first.headings));
  if (!first || !other) return units;
  const headings = other.headings.slice(0, -1);
  const own = first.headings.slice(headings.length).join('\n');
  return units.map((unit, index) => ({
    ...unit,
    headings,
    text: index === 0 && own !== '' ? `${own}\n${unit.text}` : unit.text,
  }));
}

/** Even parts, each of at most the words of a chunk. */
function divide({ units, words }: Section): Chunk[] {
  const target = Math.ceil(words / Math.ceil(words / MAX_CHUNK_WORDS));
  const parts: Unit[][] = [];
  let size = 0;
  for (const unit of units) {
    const last = parts.at(-1);
    if (last && size < target && size + unit.words <= MAX_CHUNK_WORDS) last.push(unit);
    else {
      parts.push([unit]);
      size = 0;
    }
    size += unit.words;
  }
  return parts.flatMap(toChunk);
}

function toChunk([first, ...rest]: readonly Unit[]): Chunk[] {
  if (!first) return [];
  const { headings, page, url } = first;
  return [
    { text: rest.reduce((text, unit) => text + unit.gap + unit.text, first.text), headings, page, url },
  ];
}

const isSamePath = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((heading, index) => heading === other[index]);
