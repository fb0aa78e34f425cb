import { describe, expect, it } from '@jest/globals';
import { NotFound } from '#src/common/errors/api-error.js';
import { PathIdPipe } from './path-id.js';

class Missing extends NotFound {
  constructor() {
    super('Tool not found');
  }
}

describe('PathIdPipe', () => {
  const pipe = new PathIdPipe(Missing);

  it.each(['1', '42', '2147483647'])('accepts %j', (value) => {
    expect(pipe.transform(value)).toBe(Number(value));
  });

  it.each(
    [
      '0',
      '-1',
      '+1',
      '01',
      '',
      ' ',
      '1 ',
      ' 1',
      '1.0',
      '1.5',
      '1e3',
      '0x1',
      '1,2',
      'abc',
      '1a',
      'NaN',
      '\u0661',
    ].concat(['2147483648', '9999999999', '99999999999999999999', '1\n']),
  )('responds to %j as to the id of a missing row', (value) => {
    expect(() => pipe.transform(value)).toThrow(new Missing());
  });
});
