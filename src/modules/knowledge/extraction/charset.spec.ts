import { describe, expect, it } from '@jest/globals';
import { deflateRawSync } from 'node:zlib';
import { decodeText } from './charset.js';
import { ExtractionError } from './extracted-text.js';

const SENTENCE = 'Öffnungszeiten: täglich außer montags, für 5 € – “Café”';
const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
const RUSSIAN = 'Добрый день, наши часы работы указаны на этой странице, звоните нам в любое время. ';
/** Windows-1251 has the Russian alphabet in order from 0xC0. */
const windows1251 = (text: string): Buffer =>
  Buffer.from(
    [...text].map((character) => {
      const code = character.codePointAt(0) ?? 0;
      return code >= 0x410 && code <= 0x44f ? code - 0x410 + 0xc0 : code;
    }),
  );

describe('decodeText', () => {
  it.each([
    ['UTF-8', Buffer.from(SENTENCE)],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${SENTENCE}`)],
    ['UTF-16LE with a mark', Buffer.from(`\ufeff${SENTENCE}`, 'utf16le')],
    ['UTF-16BE with a mark', utf16be(`\ufeff${SENTENCE}`)],
    ['UTF-16LE without a mark', Buffer.from(SENTENCE, 'utf16le')],
    ['UTF-16BE without a mark', utf16be(SENTENCE)],
  ])('reads %s', (_, bytes) => expect(decodeText(bytes)).toBe(SENTENCE));

  it.each([
    [
      'Windows-1252 by its bytes',
      Buffer.from('f\xfcr 5 \x80 \x96 \x93Caf\xe9\x94', 'latin1'),
      null,
      'für 5 € – “Café”',
    ],
    ['the charset of the header', Buffer.from('\xc4\xce\xcc', 'latin1'), 'windows-1251', 'ДОМ'],
    ['UTF-8 declared as another charset', Buffer.from('für'), 'iso-8859-1', 'für'],
    [
      'Windows-1252 declared as UTF-8',
      Buffer.from('f\xfcr alle G\xe4ste', 'latin1'),
      'utf-8',
      'für alle Gäste',
    ],
    [
      'a charset that does not exist',
      Buffer.from('f\xfcr alle G\xe4ste', 'latin1'),
      'klingon',
      'für alle Gäste',
    ],
    ['Windows-1251 by statistics', windows1251(RUSSIAN.repeat(5)), null, RUSSIAN.repeat(5)],
  ])('reads %s', (_, bytes, declared, text) => expect(decodeText(bytes, declared)).toBe(text));

  it('reads the charset of a meta element', () => {
    const html = Buffer.from('<html><head><meta charset="windows-1251"><body>\xc4\xce\xcc', 'latin1');
    expect(decodeText(html, null, true)).toContain('ДОМ');
  });

  it('removes single controls and unifies line ends', () => {
    expect(decodeText(Buffer.from(`${'a'.repeat(200)}\0\r\nb\rc`))).toBe(`${'a'.repeat(200)}\nb\nc`);
  });

  it.each([
    ['a PDF', Buffer.from('%PDF-1.7 text')],
    ['a ZIP archive', Buffer.from('PK\x03\x04 text')],
    ['an image', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
    [
      'random bytes',
      deflateRawSync(Buffer.from(Array.from({ length: 5_000 }, (_unused, index) => (index * index) % 251))),
    ],
    ['zeros', Buffer.alloc(1_000)],
  ])('refuses %s', (_, bytes) => expect(() => decodeText(bytes)).toThrow(ExtractionError));
});
