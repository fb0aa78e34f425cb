import { describe, expect, it } from '@jest/globals';
import { allows, requiredScope, SCOPES } from './scopes.js';

describe('allows', () => {
  it('gives admin everything and every other scope itself only', () => {
    for (const needed of SCOPES) {
      expect(allows(['admin'], needed)).toBe(true);
      for (const granted of SCOPES.filter((scope) => scope !== 'admin'))
        expect([granted, needed, allows([granted], needed)]).toEqual([granted, needed, granted === needed]);
    }
    expect(allows([], 'read')).toBe(false);
  });
});

describe('requiredScope', () => {
  it.each([
    ['GET', 'read'],
    ['HEAD', 'read'],
    ['POST', 'write'],
    ['PUT', 'write'],
    ['PATCH', 'write'],
    ['DELETE', 'write'],
  ])('of a %s that names none is %s', (method, scope) =>
    expect(requiredScope(method, { scope: 'by-method' })).toBe(scope),
  );

  it('is the one that the route names', () => expect(requiredScope('GET', { scope: 'admin' })).toBe('admin'));

  it('is admin for a route that declares nothing', () => expect(requiredScope('GET', {})).toBe('admin'));
});
