import { strFromU8, unzipSync, zipSync, type UnzipFileInfo } from 'fflate';
import mammoth from 'mammoth';
import { ExtractionError, type ExtractedText } from './extracted-text.js';
import { htmlFragment } from './html-page.js';

/** Bytes of the text parts of a document when they are unpacked; a book of 1,000 pages has 10 MB. */
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;
const MAX_ENTRIES = 5_000;
/** Pictures, fonts and embedded files are not unpacked. */
const TEXT_PARTS =
  /^(?:\[Content_Types\]\.xml|_rels\/\.rels|docProps\/core\.xml|word\/[^/]+\.xml|word\/_rels\/[^/]+\.rels)$/;
const DOCUMENT = 'word/document.xml';
const OLD_OFFICE = 'd0cf11e0';

/** @throws ExtractionError */
export async function docxText(bytes: Uint8Array): Promise<ExtractedText> {
  const parts = unzip(bytes);
  if (!parts[DOCUMENT]) throw new ExtractionError('The file is not a Word document (.docx).');
  // Packed again: the converter then meets only what was measured here.
  const buffer = Buffer.from(zipSync(parts, { level: 0 }));
  const converter = mammoth.images.imgElement(() => Promise.resolve({ src: '' }));
  const { value } = await mammoth.convertToHtml(
    { buffer },
    { convertImage: converter, externalFileAccess: false, styleMap: ["p[style-name='Title'] => h1:fresh"] },
  );
  const blocks = htmlFragment(value);
  if (blocks.length === 0) throw new ExtractionError('The Word document has no text.');
  return { title: titleOf(parts['docProps/core.xml']), blocks };
}

function unzip(bytes: Uint8Array): Record<string, Uint8Array> {
  if (Buffer.from(bytes.subarray(0, 4)).toString('hex') === OLD_OFFICE)
    throw new ExtractionError(
      'The Word document is of an old format or has a password; save it as .docx without a password.',
    );
  let unpacked = 0;
  let entries = 0;
  const filter = ({ name, originalSize }: UnzipFileInfo): boolean => {
    if (++entries > MAX_ENTRIES) throw new ExtractionError('The Word document has too many parts.');
    if (!TEXT_PARTS.test(name)) return false;
    // As much memory is reserved for the part, and none beyond it: a false size damages the part.
    unpacked += originalSize;
    if (unpacked > MAX_UNPACKED_BYTES)
      throw new ExtractionError('The Word document is too large when it is unpacked.');
    return true;
  };
  try {
    return unzipSync(bytes, { filter });
  } catch (error) {
    if (error instanceof ExtractionError) throw error;
    throw new ExtractionError('The file is not a Word document (.docx), or it is damaged.');
  }
}

function titleOf(core: Uint8Array | undefined): string | null {
  const xml = core ? strFromU8(core.subarray(0, 20_000)) : '';
  const written = /<dc:title>([^<&]{1,300})<\/dc:title>/.exec(xml)?.[1]?.trim();
  return written || null;
}
