import { describe, expect, it } from '@jest/globals';
import { checkUrl, MAX_URL_LENGTH } from './check-url.js';

describe('checkUrl', () => {
  it.each([
    'https://example.com',
    'http://example.com/hook?x=1#part',
    'HTTPS://Example.COM:8443/',
    'https://my_service.example.com/',
    'https://xn--bcher-kva.example/',
    'https://bücher.example/päth?q=ü',
    'https://example.com./',
    'http://localhost:3000/hook',
    'http://app.localhost/',
    'http://192.0.2.1/',
    'http://10.0.0.1:1/',
    'http://[::1]:3000/',
    'https://example.com/{order_id}?name={name}',
    'https://example.com/@user',
  ])('accepts %s', (url) => expect(checkUrl(url)).toBeNull());

  it.each([
    '',
    'example.com',
    '//example.com',
    'ftp://example.com',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http:example.com',
    'http:/example.com',
    'http:///example.com',
    'http:\\\\example.com',
    'http://',
    'http://?x',
    'http://intranet/',
    'http://.example.com/',
    'http://a..b/',
    'http://-a.example.com/',
    'http://exa!mple.com/',
    'http://exa mple.com/',
    'http://example.com/a b',
    ' http://example.com/',
    'http://example.com/\n',
    'http://exam\tple.com/',
    'http://example.com/\0',
    'http://example.com:99999/',
    'http://256.1.1.1/',
    'http://[::1/',
    'http://[fe80::1%25eth0]/',
    'http://user@example.com/',
    'http://user:secret@example.com/',
    'http://:secret@example.com/',
    `http://${'a'.repeat(64)}.example.com/`,
    `http://${'abcdefg.'.repeat(32)}com/`,
  ])('refuses %j', (url) => expect(checkUrl(url)).toEqual(expect.any(String)));

  it('enforces the exact maximum length', () => {
    const url = 'https://example.com/';
    expect(checkUrl(url.padEnd(MAX_URL_LENGTH, 'a'))).toBeNull();
    expect(checkUrl(url.padEnd(MAX_URL_LENGTH + 1, 'a'))).toMatch('2048');
  });
});
