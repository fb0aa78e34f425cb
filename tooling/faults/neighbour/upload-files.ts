/** Files that are expensive for readers of CSV, and bodies that are none, of any size; each is made piece by piece. */
export interface UploadFile {
  name: string;
  /** Under the API's prefix. */
  path: string;
  contentType: string;
  /** In front of the pieces. */
  head: Buffer;
  /** Repeated until the file is full. */
  piece: Buffer;
  /** Where the pieces stand in the form; `body`: there is no form. */
  place: 'file' | 'fields' | 'preamble' | 'part-header' | 'body';
  /** Of a file that is read for as long as it lasts: so much shows what more would. */
  maxMegabytes?: number;
}

const PIECE = 64 * 1024;
const SUPPRESSIONS = { path: '/user/suppressions/import' };
const HEADER = 'phone_number,name\n';

const repeated = (text: string): Buffer =>
  Buffer.from(text.repeat(Math.ceil(PIECE / Math.max(1, text.length))));

const file = (name: string, head: string, text: string, more: Partial<UploadFile> = {}): UploadFile => ({
  name,
  path: '/user/leads/import',
  contentType: 'multipart/form-data; boundary=b',
  head: Buffer.from(head),
  piece: repeated(text),
  place: 'file',
  ...more,
});

const body = (path: string, contentType: string, head: string, text: string): UploadFile =>
  file(`${contentType} to ${path}`, head, text, { path, contentType, place: 'body' });

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

export const UPLOAD_FILES: readonly UploadFile[] = [
  file('one line of commas', `${HEADER}+14155550101,`, ','),
  file('one line of commas, as suppressions', `${HEADER}+14155550101,`, ',', SUPPRESSIONS),
  file('a header of commas', '', ','),
  file('a header of names', 'phone_number', ',a'),
  file('a header without an end', 'phone_number', 'x'),
  file('lines of a comma', HEADER, ',\n'),
  file('empty lines', HEADER, '\n'),
  file('empty lines in front', '', '\r\n'),
  file('lines of 300 values', HEADER, `${'1,'.repeat(300)}\n`),
  file('lines of a letter, as suppressions', HEADER, 'x\n', SUPPRESSIONS),
  file('lines of a letter behind a number', `${HEADER}+14155550101,\n`, 'x\n', { maxMegabytes: 20 }),
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
  body('/user/lead', JSON_TYPE, '{"variables":{"a":"', 'x'),
  body('/user/make_call', JSON_TYPE, '', '['),
  body('/user/suppressions', JSON_TYPE, '{"a":[', '{},'),
  body('/user/leads/import', JSON_TYPE, '{"file":"', '\\n'),
  body('/user/suppressions/import', 'text/csv', HEADER, ','),
  body('/user/lead', 'multipart/form-data; boundary=b', '', '--b\r\n'),
  body('/user/campaigns', FORM_TYPE, '', 'a=b&'),
  body('/conversations', JSON_TYPE, '{"a":"', 'x'),
  body('/web-calls', 'text/plain', '', 'x'),
];

/** The body of the upload, `size` bytes and in a form a little more. */
export async function* formOf(
  { head, piece, place }: UploadFile,
  campaignId: number,
  size: number,
): AsyncGenerator<Buffer> {
  if (place === 'body') return yield* piecesOf(head, piece, size);
  const text = (lines: string): Buffer => Buffer.from(lines);
  const part = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n';
  if (place === 'file') yield text(`${part}\r\n`);
  if (place === 'part-header') yield text(part);
  yield* piecesOf(head, piece, size);
  const end = place === 'part-header' ? '\r\n\r\nx' : '';
  yield text(
    `${end}\r\n--b\r\ncontent-disposition: form-data; name="campaign_id"\r\n\r\n${campaignId}\r\n--b--\r\n`,
  );
}

function* piecesOf(head: Buffer, piece: Buffer, size: number): Generator<Buffer> {
  yield head;
  for (let left = size - head.length; left > 0; left -= piece.length) yield piece.subarray(0, left);
}
