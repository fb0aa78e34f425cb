import { readFile, stat } from 'node:fs/promises';
import { decodeText } from './charset.js';
import { toChunks } from './chunks.js';
import { ExtractionError, type ChunkedText, type ExtractedText, type FileType } from './extracted-text.js';
import type { HtmlPage } from './html-page.js';
import { plainText } from './plain-text.js';

/** A page of a website. */
export interface PageTask {
  type: 'html' | 'text';
  bytes: Uint8Array;
  url: string;
  /** Of the header `Content-Type`. */
  charset: string | null;
}

export type ExtractionTask = { type: FileType; path: string } | PageTask;

/** The text of a task; of a page also where it leads. */
export type Extraction = ChunkedText & Pick<HtmlPage, 'links' | 'canonical'>;

export const MAX_FILE_BYTES = 32 * 1024 * 1024;
/** The manual of a large product has 6 million. */
export const MAX_CHARACTERS = 12_000_000;

/** Runs in a process of its own. @throws ExtractionError */
export async function extract(task: ExtractionTask): Promise<Extraction> {
  const text = await textOf(task);
  const characters = text.blocks.reduce((sum, block) => sum + block.text.length, 0);
  if (characters > MAX_CHARACTERS)
    throw new ExtractionError(`The text has ${characters} characters; the limit is ${MAX_CHARACTERS}.`);
  return { links: [], canonical: null, ...text, chunks: toChunks(text) };
}

// Each process reads one type in most cases, and to load a library takes longer than a short text.
async function textOf(task: ExtractionTask): Promise<ExtractedText & Partial<HtmlPage>> {
  if ('bytes' in task) return pageText(task);
  const bytes = await readBounded(task.path);
  if (task.type === 'pdf') return (await import('./pdf-text.js')).pdfText(bytes);
  if (task.type === 'docx') return (await import('./docx-text.js')).docxText(bytes);
  const text = plainText(decodeText(bytes));
  if (text.blocks.length === 0) throw new ExtractionError('The file has no text.');
  return text;
}

async function pageText({ type, bytes, url, charset }: PageTask): Promise<ExtractedText & Partial<HtmlPage>> {
  const text = decodeText(bytes, charset, type === 'html');
  if (type === 'text') return plainText(text, url);
  return (await import('./html-page.js')).htmlPage(text, url);
}

async function readBounded(path: string): Promise<Uint8Array> {
  const { size } = await stat(path);
  if (size > MAX_FILE_BYTES)
    throw new ExtractionError(`The file has ${size} bytes; the limit is ${MAX_FILE_BYTES}.`);
  // A Uint8Array of its own memory: the reader of PDFs accepts no Buffer.
  return new Uint8Array(await readFile(path));
}
