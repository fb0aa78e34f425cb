import { deflateSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { extract } from './extract.js';
import type { Extractor } from './extraction-process.js';

/** Without a process and its limits. */
export const anExtractor = (): Extractor => ({ run: extract, close: () => undefined });

export interface PdfText {
  text: string;
  size?: number;
  y: number;
}

/** A PDF of pages with lines of text. `extra` goes into the catalog, e.g. a script. */
export function aPdf(pages: readonly (readonly PdfText[])[], extra = ''): Uint8Array {
  return pdfOf(
    pages.map((lines) =>
      stream(
        lines.map(({ text, size = 10, y }) => `BT /F1 ${size} Tf 50 ${y} Td (${text}) Tj ET`).join('\n'),
      ),
    ),
    extra,
  );
}

const stream = (content: string): string => `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;

/** A page whose few kilobytes unpack to `megabytes`, twice compressed. */
export function aPdfBomb(megabytes: number): Uint8Array {
  const content = deflateSync(deflateSync(Buffer.alloc(megabytes * 1024 * 1024, '0 0 m '))).toString(
    'latin1',
  );
  const dictionary = `<< /Length ${content.length} /Filter [/FlateDecode /FlateDecode] >>`;
  return pdfOf([`${dictionary}\nstream\n${content}\nendstream`], '');
}

export function pdfOf(streams: readonly string[], extra: string, count = streams.length): Uint8Array {
  const kids = streams.map((_, index) => `${4 + index * 2} 0 R`);
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R ${extra} >>`,
    `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${count} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...streams.flatMap((content, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${5 + index * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      content,
    ]),
  ];
  let file = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const start = file.length;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return new Uint8Array(Buffer.from(file, 'latin1'));
}

const CONTENT_TYPES = `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`;
const RELATIONS = `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`;
const STYLES = `<?xml version="1.0"?><w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${[1, 2].map((level) => `<w:style w:type="paragraph" w:styleId="Heading${level}"><w:name w:val="heading ${level}"/></w:style>`).join('')}</w:styles>`;

export const aParagraph = (text: string, style?: string): string =>
  `<w:p>${style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : ''}<w:r><w:t>${text}</w:t></w:r></w:p>`;

/** A Word document. @param doctype in front of the document, e.g. with entities */
export function aDocx(body: string, doctype = '', more: Record<string, Uint8Array> = {}): Uint8Array {
  const document = `<?xml version="1.0"?>${doctype}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`;
  return zipSync({
    '[Content_Types].xml': strToU8(CONTENT_TYPES),
    '_rels/.rels': strToU8(RELATIONS),
    'word/document.xml': strToU8(document),
    'word/styles.xml': strToU8(STYLES),
    ...more,
  });
}
