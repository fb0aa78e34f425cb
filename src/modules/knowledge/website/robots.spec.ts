import { describe, expect, it } from '@jest/globals';
import { parseRobots } from './robots.js';

describe('parseRobots', () => {
  const permits = (text: string, path: string): boolean => parseRobots(text, 'reader').permits(path);

  it.each([
    ['', '/a', true],
    ['User-agent: *\nDisallow: /a', '/ab', false],
    ['User-agent: *\nDisallow:', '/a', true],
    ['Disallow: /', '/a', true],
    ['User-agent: *\nDisallow: /\nAllow: /a', '/a', true],
    ['User-agent: *\nAllow: /a\nDisallow: /a', '/a', true],
    ['User-agent: *\nDisallow: /\n\nUser-agent: Reader/2\nAllow: /', '/a', true],
    ['User-agent: other\nUser-agent: READER\r\ndisallow: /a # all', '/a', false],
    ['User-agent: other\nDisallow: /', '/a', true],
    ['User-agent: *\nDisallow: /*.pdf$', '/x/a.pdf', false],
    ['User-agent: *\nDisallow: /*.pdf$', '/x/a.pdf?page=1', true],
    ['User-agent: *\nDisallow: /a$', '/ab', true],
    ['User-agent: *\nDisallow: /*?session=', '/a?session=1', false],
    ['<html>not found</html>', '/a', true],
  ])('%j and %s: %s', (text, path, expected) => expect(permits(text, path)).toBe(expected));

  it('compares a pattern of many stars in linear time', () => {
    expect(permits(`User-agent: *\nDisallow: /${'*a'.repeat(50_000)}$`, `/${'a'.repeat(2_000)}b`)).toBe(true);
  });
});
