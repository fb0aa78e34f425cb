import { beforeEach, describe, expect, it } from '@jest/globals';
import { ResidualEcho } from './residual-echo.js';

const PLAYED = 3_000;
/** 20 ms of 24 kHz. @param decibels below the played audio */
function audio(decibels: number): Buffer {
  const level = Math.round(PLAYED * 10 ** (-decibels / 20));
  const samples = Int16Array.from({ length: 480 }, (_, index) => (index % 2 === 0 ? level : -level));
  return Buffer.from(samples.buffer);
}

let echo: ResidualEcho;
beforeEach(() => {
  echo = new ResidualEcho();
});

describe('ResidualEcho', () => {
  it.each([
    [25, true],
    [40, true],
    [23, false],
    [0, false],
  ])('decides by the loudness: %d dB below the played audio', (decibels, isEcho) => {
    expect(echo.isEcho(audio(decibels), PLAYED, 0)).toBe(isEcho);
  });

  it('takes nothing for an echo while nothing is played', () => {
    expect(echo.isEcho(audio(60), 0, 0)).toBe(false);
  });

  it('finds the echo of audio that was played up to 0.4 s before', () => {
    echo.isEcho(audio(30), PLAYED, 0);
    expect(echo.isEcho(audio(30), 0, 399)).toBe(true);
    expect(echo.isEcho(audio(30), 0, 400)).toBe(false);
  });

  it('keeps the quiet sounds in words of the customer, for 0.3 s', () => {
    expect(echo.isEcho(audio(6), PLAYED, 0)).toBe(false);
    expect(echo.isEcho(audio(30), PLAYED, 299)).toBe(false);
    expect(echo.isEcho(audio(30), PLAYED, 300)).toBe(true);
  });
});
