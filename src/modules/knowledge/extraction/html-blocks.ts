import type { TextBlock } from './extracted-text.js';
import { HeadingPath } from './heading-path.js';

/** The part of the DOM that is read here; the names of the DOM's own library are not those of Node. */
export interface HtmlNode {
  nodeType: number;
  nodeName: string;
  textContent: string | null;
  firstChild: HtmlNode | null;
  nextSibling: HtmlNode | null;
  parentNode: HtmlNode | null;
}

const TEXT_NODE = 3;
const ELEMENT_NODE = 1;
const HEADING = /^H([1-6])$/;
const SKIPPED = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'SVG', 'IFRAME', 'OBJECT', 'HEAD']);
const MAX_ROW_LENGTH = 1_000;
/** All others are inline: their text belongs to the paragraph around them. */
const BLOCKS = new Set(
  `ADDRESS ARTICLE ASIDE BLOCKQUOTE BODY DD DETAILS DIV DL DT FIELDSET FIGCAPTION FIGURE FOOTER FORM HEADER HR LI MAIN
   NAV OL P PRE SECTION SUMMARY TABLE TBODY TFOOT THEAD TR UL CAPTION`.split(/\s+/),
);

/** Paragraphs, list items and rows below `root`. A loop: hostile pages nest deeper than any stack. */
export function htmlBlocks(root: HtmlNode, url: string | null, outermost: string | null): TextBlock[] {
  const reader = new BlockReader(url, outermost);
  let node: HtmlNode | null = root;
  while (node) {
    const entered: boolean = reader.enter(node);
    let next: HtmlNode | null = entered ? node.firstChild : null;
    if (!next) {
      if (entered) reader.leave(node);
      while (node && node !== root && !node.nextSibling) {
        node = node.parentNode;
        if (node) reader.leave(node);
      }
      next = !node || node === root ? null : node.nextSibling;
    }
    node = next;
  }
  return reader.finish();
}

class BlockReader {
  private readonly blocks: TextBlock[] = [];
  private readonly path = new HeadingPath();
  private parts: string[] = [];
  private preformatted = 0;
  /** Rows around the place, of nested tables. */
  private rows = 0;
  /** Characters of the row so far. */
  private rowLength = 0;

  /** @param outermost the heading above all others, e.g. the title of the page */
  constructor(
    private readonly url: string | null,
    private readonly outermost: string | null,
  ) {
    if (outermost) this.path.add(0, outermost);
  }

  /** @returns whether its children are read */
  enter(node: HtmlNode): boolean {
    if (node.nodeType === TEXT_NODE) this.addText(node.textContent ?? '');
    const name = nameOf(node);
    if (node.nodeType !== ELEMENT_NODE || SKIPPED.has(name)) return false;
    if (BLOCKS.has(name) || HEADING.test(name)) this.breakAt(name);
    if (name === 'TR') this.rows++;
    if (name === 'BR') this.parts.push('\n');
    if (name === 'PRE') this.preformatted++;
    return true;
  }

  leave(node: HtmlNode): void {
    const name = nameOf(node);
    const level = HEADING.exec(name)?.[1];
    if (level) this.endHeading(Number(level));
    else if (BLOCKS.has(name)) this.breakAt(name);
    else if (name === 'TD' || name === 'TH') this.parts.push(' | ');
    if (name === 'PRE') this.preformatted--;
    if (name === 'TR') this.rows--;
  }

  finish(): TextBlock[] {
    this.endBlock();
    return this.blocks;
  }

  /** Paragraphs in the cells of a row do not end it, unless the table is the layout of a page. */
  private breakAt(name: string): void {
    if (this.rows > 0 && name !== 'TR' && this.rowLength < MAX_ROW_LENGTH) this.parts.push(' ');
    else this.endBlock();
  }

  private addText(text: string): void {
    this.rowLength += text.length;
    this.parts.push(this.preformatted > 0 ? text : text.replace(/\s+/g, ' '));
  }

  private endHeading(level: number): void {
    const text = this.takeText();
    if (text !== this.outermost) this.path.add(level, text);
  }

  private endBlock(): void {
    const text = this.takeText();
    if (/[\p{L}\p{N}]/u.test(text))
      this.blocks.push({ text, headings: this.path.texts, page: null, url: this.url });
  }

  private takeText(): string {
    const lines = this.parts.join('').split('\n');
    this.parts = [];
    this.rowLength = 0;
    const cleaned = lines.map((line) => line.replace(/[ \t\u00a0]+/g, ' ').trim());
    return cleaned
      .join('\n')
      .trim()
      .replace(/[\s|]+$/, '');
  }
}

const nameOf = (node: HtmlNode): string => node.nodeName.toUpperCase();

/** Of the deepest element, at most `limit`. */
export function depthOf(root: HtmlNode, limit: number): number {
  let [depth, deepest] = [0, 0];
  let node: HtmlNode | null = root;
  while (node && deepest < limit) {
    if (node.firstChild) {
      node = node.firstChild;
      deepest = Math.max(deepest, ++depth);
      continue;
    }
    while (node && node !== root && !node.nextSibling) {
      node = node.parentNode;
      depth--;
    }
    node = !node || node === root ? null : node.nextSibling;
  }
  return deepest;
}
