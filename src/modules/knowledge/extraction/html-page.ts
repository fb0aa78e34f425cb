import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import type { ExtractedText, TextBlock } from './extracted-text.js';
import { depthOf, htmlBlocks, type HtmlNode } from './html-blocks.js';

/** A page of a website with what leads on from it. */
export interface HtmlPage extends ExtractedText {
  /** Absolute addresses of http and https without fragments, in order, each once. */
  links: string[];
  /** The address under which the page wants to be known. */
  canonical: string | null;
}

/** The part of the DOM that is read here: its global types are not those of a service. */
interface HtmlElement extends HtmlNode {
  tagName: string;
  getAttribute(name: string): string | null;
  querySelector(selector: string): HtmlElement | null;
  querySelectorAll(selector: string): Iterable<HtmlElement> & { length: number };
  remove(): void;
}

interface HtmlDocument extends HtmlElement {
  body: HtmlElement;
}

/** Elements for which the search of the main text takes a second; beyond it the whole body is read. */
const MAX_SCORED_ELEMENTS = 20_000;
/** The same for elements inside each other; pages that people wrote have 30. */
const MAX_SCORED_DEPTH = 100;
const MAX_LINKS = 2_000;
/** The main text has at least this share of the page's; with less the wrong part was taken for it. */
const MIN_MAIN_SHARE = 0.3;
const BOILERPLATE =
  'nav, header, footer, aside, form, dialog, [role=navigation], [role=banner], [role=contentinfo], [role=search], [aria-hidden=true], [hidden]';

/** @param url the address from which it came; links are relative to it, or to its `base` */
export function htmlPage(html: string, url: string): HtmlPage {
  const document = parse(/<html/i.test(html.slice(0, 10_000)) ? html : wrapped(html));
  const base = absolute(document.querySelector('base[href]')?.getAttribute('href'), url) ?? url;
  const links = linksOf(document, base);
  const canonical = absolute(document.querySelector('link[rel=canonical]')?.getAttribute('href'), base);
  const ownTitle = clean(document.querySelector('title')?.textContent);
  const heading = clean(document.querySelector('h1')?.textContent);
  const title = ownTitle ?? heading;
  for (const part of document.querySelectorAll(BOILERPLATE)) if (!holdsHeading(part)) part.remove();
  const whole = htmlBlocks(document.body, url, heading ?? title);
  const main = mainBlocks(document, url, heading ?? title);
  const isMain = lengthOf(main) >= lengthOf(whole) * MIN_MAIN_SHARE;
  return { title, blocks: isMain ? main : whole, links, canonical };
}

/** HTML of one file, which is all main text. */
export function htmlFragment(html: string): TextBlock[] {
  return htmlBlocks(parse(wrapped(html)).body, null, null);
}

const parse = (html: string): HtmlDocument => parseHTML(html).document;

/** Removes parts of the document. */
function mainBlocks(document: HtmlDocument, url: string, title: string | null): TextBlock[] {
  if (depthOf(document.body, MAX_SCORED_DEPTH) >= MAX_SCORED_DEPTH) return [];
  if (document.querySelectorAll('*').length > MAX_SCORED_ELEMENTS) return [];
  const article = new Readability<HtmlNode>(document, {
    charThreshold: 200,
    serializer: (node: HtmlNode) => node,
  }).parse();
  return article?.content ? htmlBlocks(article.content, url, title) : [];
}

/** Some pages have their heading, and with it the text, in a header. */
const holdsHeading = (part: HtmlElement): boolean =>
  part.tagName === 'HEADER' && part.querySelector('h1') !== null && part.querySelector('nav') === null;

function linksOf(document: HtmlDocument, base: string): string[] {
  const links = new Set<string>();
  for (const anchor of document.querySelectorAll('a[href]')) {
    const target = isFollowed(anchor) ? absolute(anchor.getAttribute('href'), base) : null;
    if (target) links.add(target);
    if (links.size >= MAX_LINKS) break;
  }
  return [...links];
}

const isFollowed = (anchor: HtmlElement): boolean => !/\bnofollow\b/i.test(anchor.getAttribute('rel') ?? '');

function absolute(href: string | null | undefined, base: string): string | null {
  if (!href || !URL.canParse(href, base)) return null;
  const url = new URL(href, base);
  url.hash = '';
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null;
}

const wrapped = (html: string): string => `<!doctype html><html><head></head><body>${html}</body></html>`;
const clean = (text: string | null | undefined): string | null =>
  text?.replace(/\s+/g, ' ').trim().slice(0, 200) || null;
const lengthOf = (blocks: readonly TextBlock[]): number =>
  blocks.reduce((sum, { text }) => sum + text.length, 0);
