import { beforeEach, describe, expect, it } from '@jest/globals';
import { FluxUtterances } from './flux-utterances.js';

let finals: string[];
let utterances: FluxUtterances;

beforeEach(() => {
  finals = [];
  utterances = new FluxUtterances(({ kind, ...event }) => {
    if (kind === 'final' && 'text' in event) finals.push(event.text);
  });
});

/** A turn whose eager end is revoked. @returns the requests that it causes */
function continued(): number {
  const before = finals.length;
  utterances.handleEvent('StartOfTurn', 'I would');
  utterances.handleEvent('EagerEndOfTurn', 'I would like that.');
  utterances.handleEvent('TurnResumed', 'I would like that.');
  utterances.handleEvent('Update', 'I would like that. On Monday.');
  utterances.handleEvent('EndOfTurn', 'I would like that. On Monday.');
  return finals.length - before;
}

/** A turn whose eager end is right. */
function ended(): void {
  utterances.handleEvent('StartOfTurn', 'Yes');
  utterances.handleEvent('EagerEndOfTurn', 'Yes.');
  utterances.handleEvent('EndOfTurn', 'Yes.');
}

describe('FluxUtterances', () => {
  it('ends an utterance at an eager end, once', () => {
    ended();
    expect(finals).toEqual(['Yes.']);
  });

  it('has the rest of a turn that goes on as the next utterance', () => {
    continued();
    expect(finals).toEqual(['I would like that.', 'On Monday.']);
  });

  it('waits for customers who often go on: at most 1.6 requests a turn', () => {
    const turns = 50;
    const requests = Array.from({ length: turns }, continued);
    expect(requests[0]).toBe(2);
    expect(finals.length / turns).toBeLessThanOrEqual(1.6 + 1 / turns);
    expect(finals.join(' ').match(/On Monday/g)).toHaveLength(turns);
  });

  it('has no word twice, and none missing, of a turn that two streams transcribe', () => {
    utterances.handleEvent('StartOfTurn', 'And then my', 1);
    utterances.handleEvent('Update', 'And then my cousin one', 1.5);
    utterances.handleEvent('Update', 'And then my cousin once hat', 1.9);
    utterances.handleEvent('Update', 'And then my cousin once had a garden', 4);
    // In the middle of "cousin".
    utterances.continueInNextStream(1.2);
    utterances.handleEvent('StartOfTurn', 'sin', 0.5);
    utterances.handleEvent('EndOfTurn', 'sin once had a garden there.', 5);
    expect(finals).toEqual(['And then my cousin once had a garden there.']);
  });

  it('ends turns eagerly again after customers who do not', () => {
    for (let turns = 0; turns < 5; turns += 1) continued();
    for (let turns = 0; turns < 5; turns += 1) ended();
    expect([continued(), continued()]).toEqual([2, 2]);
  });

  it.each([
    ['I would like', 'I would like that.', 'that.'],
    ['i would like', 'I would, like that', 'that'],
    ['On Tuesday at', 'On Thursday at nine.', 'Thursday at nine.'],
    ["I can't", 'I can come.', 'can come.'],
    ['At twenty two', 'At 22, please.', '22, please.'],
    ['My number is 555', 'My number is 555-1234.', '555-1234.'],
    ['It is an e mail', 'It is an email address.', 'address.'],
    ['我想', '我想订一张桌子。', '订一张桌子。'],
    ['I would like that', 'I would like that.', undefined],
  ])('reports of a turn after %j what is new in %j', (early, whole, rest) => {
    utterances.handleEvent('StartOfTurn', early);
    utterances.handleEvent('EagerEndOfTurn', early);
    utterances.handleEvent('EndOfTurn', whole);
    expect(finals).toEqual(rest === undefined ? [early] : [early, rest]);
  });
});
