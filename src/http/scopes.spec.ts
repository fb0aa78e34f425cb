import { describe, expect, it } from '@jest/globals';
import { grantsScope, requiredScope, SCOPES } from './scopes.js';

describe('allows', () => {
  it('grants all scopes to admin, and each other scope only itself', () => {
    for (const needed of SCOPES) {
      expect(grantsScope(['admin'], needed)).toBe(true);
      for (const granted of SCOPES.filter((scope) => scope !== 'admin'))
        expect([granted, needed, grantsScope([granted], needed)]).toEqual([
          granted,
          needed,
          granted === needed,
        ]);
    }
    expect(grantsScope([], 'read')).toBe(false);
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
