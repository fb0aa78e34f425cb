/** Files that are expensive for readers of CSV, of any size; each is made piece by piece. */
export interface UploadFile {
  name: string;
  route: 'leads' | 'suppressions';
  /** In front of the pieces. */
  head: Buffer;
  /** Repeated until the file is full. */
  piece: Buffer;
  /** Where the pieces stand in the form. */
  place: 'file' | 'fields' | 'preamble' | 'part-header';
}

const PIECE = 64 * 1024;
const HEADER = 'phone_number,name\n';

const repeated = (text: string): Buffer =>
  Buffer.from(text.repeat(Math.ceil(PIECE / Math.max(1, text.length))));

const file = (name: string, head: string, text: string, more: Partial<UploadFile> = {}): UploadFile => ({
  name,
  route: 'leads',
  head: Buffer.from(head),
  piece: repeated(text),
  place: 'file',
  ...more,
});

export const UPLOAD_FILES: readonly UploadFile[] = [
  file('one line of commas', `${HEADER}+14155550101,`, ','),
  file('one line of commas, as suppressions', `${HEADER}+14155550101,`, ',', { route: 'suppressions' }),
  file('a header of commas', '', ','),
  file('a header of names', 'phone_number', ',a'),
  file('a header without an end', 'phone_number', 'x'),
  file('lines of a comma', HEADER, ',\n'),
  file('empty lines', HEADER, '\n'),
  file('empty lines in front', '', '\r\n'),
  file('lines of 300 values', HEADER, `${'1,'.repeat(300)}\n`),
  file('lines of a letter, as suppressions', HEADER, 'x\n', { route: 'suppressions' }),
  file('lines of a letter behind a number', `${HEADER}+14155550101,\n`, 'x\n'),
  file('one cell in quotes', `${HEADER}+14155550101,"`, 'a'),
  file('one cell of line breaks in quotes', `${HEADER}+14155550101,"`, '\n'),
  file('one cell of quotes', `${HEADER}+14155550101,"`, '""'),
  file('cells of quotes', HEADER, '"",'),
  file('blanks', HEADER, ' '),
  file('NUL', HEADER, '\0'),
  file('bytes that are not UTF-8', HEADER, 'x', { piece: Buffer.alloc(PIECE, 0xff) }),
  file('long lines', HEADER, '', { piece: Buffer.from(`+14155550101,${'a'.repeat(60_000)}\n`) }),
  file('UTF-16', '', '', {
    head: Buffer.from(`\uFEFF${HEADER}`, 'utf16le'),
    piece: Buffer.from(',\n'.repeat(PIECE / 4), 'utf16le'),
  }),
  file('a spreadsheet', 'PK\x03\x04', 'x'),
  file('fields of a form', '', '', {
    place: 'fields',
    piece: Buffer.from('--b\r\ncontent-disposition: form-data; name="a"\r\n\r\nx\r\n'.repeat(1_000)),
  }),
  file('forms within a field', '', '', {
    place: 'fields',
    piece: Buffer.from(
      '--b\r\ncontent-disposition: form-data; name="a"\r\ncontent-type: multipart/mixed; boundary=c\r\n\r\n--c\r\n\r\nx\r\n--c--\r\n'.repeat(
        500,
      ),
    ),
  }),
  file('text in front of the form', '', 'x', { place: 'preamble' }),
  file('a header of a part', 'x-a: ', 'x', { place: 'part-header' }),
  file('headers of a part', '', 'x-a: b\r\n', { place: 'part-header' }),
];

/** The body of the upload as a form, `size` bytes and a little more. */
export async function* formOf(
  { head, piece, place }: UploadFile,
  campaignId: number,
  size: number,
): AsyncGenerator<Buffer> {
  const text = (lines: string): Buffer => Buffer.from(lines);
  const part = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n';
  if (place === 'file') yield text(`${part}\r\n`);
  if (place === 'part-header') yield text(part);
  yield head;
  for (let left = size - head.length; left > 0; left -= piece.length) yield piece.subarray(0, left);
  const end = place === 'part-header' ? '\r\n\r\nx' : '';
  yield text(
    `${end}\r\n--b\r\ncontent-disposition: form-data; name="campaign_id"\r\n\r\n${campaignId}\r\n--b--\r\n`,
  );
}
