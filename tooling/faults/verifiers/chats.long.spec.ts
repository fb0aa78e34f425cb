import { describe, expect, it } from '@jest/globals';
import { verifyChats, type ChatObservations } from './chats.js';

const right = (): ChatObservations => ({
  sent: [
    { conversation: 'a', text: 'one?', answers: ['1'] },
    { conversation: 'a', text: 'two?', answers: ['2', '2'] },
  ],
  history: [
    { conversation: 'a', role: 'user', content: 'one?' },
    { conversation: 'a', role: 'assistant', content: '1' },
    { conversation: 'a', role: 'user', content: 'two?' },
    { conversation: 'a', role: 'assistant', content: '2' },
  ],
  toolRuns: new Map([['one?', 1]]),
  taken: new Map([['a', 20n]]),
  priceMicros: 10n,
  audit: [],
});

describe('verifyChats', () => {
  it('accepts messages that are answered once', () => {
    expect(verifyChats(right())).toEqual([]);
  });

  it.each<[string, (seen: ChatObservations) => void, RegExp]>([
    ['is never answered', ({ sent }) => sent[0]?.answers.pop(), /never answered/],
    ['gets two answers', ({ sent }) => sent[1]?.answers.push('3'), /2 answers/],
    ['is stored twice', ({ history }) => history.push(...history.slice(2)), /line 4/],
    ['is missing', ({ history }) => history.splice(2), /line 2/],
    ['runs its tool twice', (seen) => (seen.toolRuns = new Map([['one?', 2]])), /ran 2 times/],
    ['is paid twice', (seen) => (seen.taken = new Map([['a', 30n]])), /30 micro-units taken instead of 20/],
  ])('finds a message that %s', (_, spoil, problem) => {
    const seen = right();
    spoil(seen);
    expect(verifyChats(seen).join('\n')).toMatch(problem);
  });

  it('reports the findings of the ledger', () => {
    expect(verifyChats({ ...right(), audit: ['wrong'] })).toEqual(['wrong']);
  });
});
