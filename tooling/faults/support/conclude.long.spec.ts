import { describe, expect, it } from '@jest/globals';
import { conclude } from './conclude.js';

describe('conclude', () => {
  const planted = /lost/;

  it('passes a run without problems', () => {
    expect(() => conclude([], { broken: false, planted })).not.toThrow();
  });

  it('fails a run with a problem', () => {
    expect(() => conclude(['lead 1 is lost'], { broken: false, planted })).toThrow('lead 1 is lost');
  });

  it('passes a broken variant whose defect is noticed', () => {
    expect(() => conclude(['slow', 'lead 1 is lost'], { broken: true, planted })).not.toThrow();
  });

  it('fails a broken variant when only other problems are noticed', () => {
    expect(() => conclude(['slow'], { broken: true, planted })).toThrow('was not noticed');
  });
});
