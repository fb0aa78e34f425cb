import { getDocumentProxy } from 'unpdf';
import { ExtractionError, type ExtractedText } from './extracted-text.js';
import { pdfBlocks, type PdfLine } from './pdf-blocks.js';

export const MAX_PDF_PAGES = 2_000;
const HEADER_BYTES = 1024;
/** Letters and digits of a page, on average: a scanner prints a few characters into the picture's margin. */
const MIN_LETTERS_PER_PAGE = 10;

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;

/** Nothing is run and nothing is loaded: forms and scripts are not looked at. @throws ExtractionError */
export async function pdfText(bytes: Uint8Array): Promise<ExtractedText> {
  if (!Buffer.from(bytes.subarray(0, HEADER_BYTES)).includes('%PDF-'))
    throw new ExtractionError('The file is not a PDF.');
  const pdf = await open(bytes);
  const { numPages } = pdf;
  if (numPages > MAX_PDF_PAGES)
    throw new ExtractionError(`The PDF has ${numPages} pages; the limit is ${MAX_PDF_PAGES}.`);
  const lines: PdfLine[] = [];
  for (let page = 1; page <= numPages; page++) lines.push(...(await linesOf(pdf, page)));
  const letters = lines.reduce((sum, { text }) => sum + (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0), 0);
  if (letters === 0 || (numPages > 1 && letters < numPages * MIN_LETTERS_PER_PAGE))
    throw new ExtractionError('The PDF has no text: it is scanned.');
  return { title: await titleOf(pdf), blocks: pdfBlocks(lines, numPages) };
}

async function open(bytes: Uint8Array): Promise<PdfDocument> {
  try {
    return await getDocumentProxy(bytes, {
      verbosity: 0,
      isEvalSupported: false,
      disableFontFace: true,
      useSystemFonts: false,
      enableXfa: false,
    });
  } catch (error) {
    const isLocked = error instanceof Error && error.name === 'PasswordException';
    throw new ExtractionError(
      isLocked ? 'The PDF is protected by a password.' : 'The PDF is damaged and cannot be read.',
    );
  }
}

/** A page that is damaged alone has no lines. */
async function linesOf(pdf: PdfDocument, page: number): Promise<PdfLine[]> {
  const proxy = await pdf.getPage(page).catch(() => null);
  const content = await proxy?.getTextContent().catch(() => null);
  const lines: PdfLine[] = [];
  let isOpen = false;
  for (const item of content?.items ?? []) {
    if (!('str' in item)) continue;
    const last = lines.at(-1);
    const [, , skew = 0, scale = 0, , y = 0] = item.transform as number[];
    if (isOpen && last) last.text += item.str;
    else if (item.str.trim() !== '')
      lines.push({ text: item.str, size: Math.round(Math.hypot(skew, scale) * 2) / 2, y, page });
    isOpen = !item.hasEOL && (isOpen || item.str.trim() !== '');
  }
  proxy?.cleanup();
  return lines.map((line) => ({ ...line, text: line.text.replace(/\s+/g, ' ').trim() }));
}

async function titleOf(pdf: PdfDocument): Promise<string | null> {
  const metadata = await pdf.getMetadata().catch(() => null);
  const { Title: title } = (metadata?.info ?? {}) as { Title?: unknown };
  return typeof title === 'string' && /\p{L}/u.test(title) ? title.trim().slice(0, 300) : null;
}
