import { describe, expect, it } from '@jest/globals';
import { msUntilOpen } from './dial-window.js';

const MINUTE = 60_000;
const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];
/** 2026-11-20 is a Friday. */
const friday = (time: string) => new Date(`2026-11-20T${time}:00Z`);

describe('msUntilOpen', () => {
  const office = { start: '09:00', end: '17:30', days: weekdays };

  it('is open from the first to the last minute, both included', () => {
    expect(msUntilOpen(office, 'UTC', friday('09:00'))).toBe(0);
    expect(msUntilOpen(office, 'UTC', friday('17:30'))).toBe(0);
    expect(msUntilOpen(office, 'UTC', friday('17:31'))).not.toBe(0);
  });

  it('waits for the start of the same day', () => {
    expect(msUntilOpen(office, 'UTC', friday('08:15'))).toBe(45 * MINUTE);
  });

  it('waits over the weekend', () => {
    expect(msUntilOpen(office, 'UTC', friday('18:00'))).toBe((2 * 24 + 15) * 60 * MINUTE);
  });

  it('uses the given time zone', () => {
    expect(msUntilOpen(office, 'America/New_York', friday('13:30'))).toBe(30 * MINUTE);
    expect(msUntilOpen(office, 'Asia/Tokyo', friday('01:00'))).toBe(0);
  });

  it('may cross midnight', () => {
    const night = { start: '22:00', end: '02:00', days: ['friday'] };
    expect(msUntilOpen(night, 'UTC', friday('23:00'))).toBe(0);
    expect(msUntilOpen(night, 'UTC', new Date('2026-11-21T01:59:00Z'))).toBe(0);
    expect(msUntilOpen(night, 'UTC', friday('01:00'))).toBe(21 * 60 * MINUTE);
  });

  it('caches one formatter for all spellings of a zone', () => {
    const { DateTimeFormat } = Intl;
    let made = 0;
    Intl.DateTimeFormat = new Proxy(DateTimeFormat, {
      construct: (target, args: ConstructorParameters<typeof DateTimeFormat>) => {
        made++;
        return new target(...args);
      },
    });
    try {
      const spellings = Array.from({ length: 512 }, (_, bits) =>
        [...'Europe/Oslo'].map((letter, at) => ((bits >> at) & 1 ? letter.toUpperCase() : letter)).join(''),
      );
      for (const zone of spellings) expect(msUntilOpen(office, zone, friday('10:00'))).toBe(0);
    } finally {
      Intl.DateTimeFormat = DateTimeFormat;
    }
    // One to look the name up, one to tell the time.
    expect(made).toBeLessThanOrEqual(2);
  });

  it('never opens without a day or in a zone that does not exist', () => {
    expect(msUntilOpen({ ...office, days: [] }, 'UTC', friday('10:00'))).toBeNull();
    expect(msUntilOpen(office, 'Mars/Olympus', friday('10:00'))).toBeNull();
  });
});
