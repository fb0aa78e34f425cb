/** Files that are expensive for readers of CSV, and invalid bodies, of any size; each is generated piece by piece. */
export interface UploadFile {
  name: string;
  /** Under the API's prefix. */
  path: string;
  contentType: string;
  /** In front of the pieces. */
  head: Buffer;
  /** Repeated until the file is full; a function receives the number of the piece, from 0. */
  piece: Buffer | ((index: number) => Buffer);
  /** Position of the pieces in the form; `body`: without a form. */
  place: 'file' | 'fields' | 'preamble' | 'part-header' | 'body';
  /** Of a file with a reading time proportional to its size: this size is sufficient. */
  maxMegabytes?: number;
  /** Further fields of the form. */
  fields?: Record<string, string>;
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

const LINES_OF_PIECE = 3_000;

/** Valid leads, each with a unique number. @param more values after each number, with their commas */
const leads =
  (more: string) =>
  (index: number): Buffer => {
    const lines = Math.ceil(LINES_OF_PIECE / Math.max(1, more.length / 10));
    const number = (line: number): string =>
      `+1415${String(2_000_000 + ((index * lines + line) % 8_000_000)).padStart(7, '0')}`;
    return Buffer.from(Array.from({ length: lines }, (_, line) => `${number(line)}${more}\n`).join(''));
  };

const COLUMNS = Array.from({ length: 150 }, (_, index) => `,column_${index}`).join('');
const DRY_RUN = { dry_run: '1' };

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
  file('valid leads, as a dry run', HEADER, '', { piece: leads(',Ann'), fields: DRY_RUN }),
  file('valid leads', HEADER, '', { piece: leads(',Ann'), maxMegabytes: 5 }),
  file('leads of 150 columns, as a dry run', `phone_number${COLUMNS}\n`, '', {
    piece: leads(',Ann'.repeat(150)),
    fields: DRY_RUN,
  }),
  file('leads of 150 columns', `phone_number${COLUMNS}\n`, '', {
    piece: leads(',Ann'.repeat(150)),
    maxMegabytes: 20,
  }),
  file('valid suppressions', 'phone_number\n', '', { ...SUPPRESSIONS, piece: leads(''), maxMegabytes: 5 }),
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

/** The body of the upload in pieces, `size` bytes plus the overhead of a form. */
export function formOf(
  { head, piece, place, fields = {} }: UploadFile,
  campaignId: number,
  size: number,
): Buffer[] {
  const content = [...piecesOf(head, piece, size)];
  if (place === 'body') return content;
  const part = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n';
  const begin = place === 'file' ? `${part}\r\n` : place === 'part-header' ? part : '';
  const end = place === 'part-header' ? '\r\n\r\nx' : '';
  const values = Object.entries({ campaign_id: campaignId, ...fields }).map(
    ([name, value]) => `\r\n--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}`,
  );
  return [Buffer.from(begin), ...content, Buffer.from(`${end}${values.join('')}\r\n--b--\r\n`)];
}

function* piecesOf(head: Buffer, piece: UploadFile['piece'], size: number): Generator<Buffer> {
  yield head;
  for (let index = 0, left = size - head.length; left > 0; index += 1) {
    const bytes = typeof piece === 'function' ? piece(index) : piece;
    yield bytes.subarray(0, left);
    left -= bytes.length;
  }
}
