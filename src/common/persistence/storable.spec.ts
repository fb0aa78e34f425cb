import { describe, expect, it } from '@jest/globals';
import { toStorable } from './storable.js';

describe('toStorable', () => {
  it('removes what the database refuses, at any depth, and keeps the rest', () => {
    const at = new Date(0);
    const given = { 'a\0': ['b\0', { c: 'half \ud800', d: null, e: 1, at }] };
    expect(toStorable(given)).toEqual({ a: ['b', { c: 'half \ufffd', d: null, e: 1, at }] });
  });
});
