import { describe, expect, it } from '@jest/globals';
import { toPaginationEnvelope, pageWindow } from './envelope.js';
import { Page, type PageCursors } from './page.js';

const at = (page: number, items: number, total: number) =>
  toPaginationEnvelope(
    new Page(
      Array.from({ length: items }, (_, index) => index),
      total,
      { page, per_page: 2 },
    ),
    new URL('http://host/api/user/calls?status=busy&per_page=2&page=1'),
  );

describe('the envelope', () => {
  it('has all fields on a middle page, and the filters in its links', () => {
    expect(at(2, 2, 5)).toEqual({
      current_page: 2,
      data: [0, 1],
      first_page_url: 'http://host/api/user/calls?status=busy&per_page=2&page=1',
      from: 3,
      last_page: 3,
      last_page_url: 'http://host/api/user/calls?status=busy&per_page=2&page=3',
      links: [
        {
          url: 'http://host/api/user/calls?status=busy&per_page=2&page=1',
          label: '&laquo; Previous',
          active: false,
        },
        { url: 'http://host/api/user/calls?status=busy&per_page=2&page=1', label: '1', active: false },
        { url: 'http://host/api/user/calls?status=busy&per_page=2&page=2', label: '2', active: true },
        { url: 'http://host/api/user/calls?status=busy&per_page=2&page=3', label: '3', active: false },
        {
          url: 'http://host/api/user/calls?status=busy&per_page=2&page=3',
          label: 'Next &raquo;',
          active: false,
        },
      ],
      next_page_url: 'http://host/api/user/calls?status=busy&per_page=2&page=3',
      path: 'http://host/api/user/calls',
      per_page: 2,
      prev_page_url: 'http://host/api/user/calls?status=busy&per_page=2&page=1',
      to: 4,
      total: 5,
    });
  });

  it('uses cursors when the request has one', () => {
    const byCursor = (cursors: PageCursors) =>
      toPaginationEnvelope(
        new Page(['a', 'b'], 9, { page: 1, per_page: 2 }, cursors),
        new URL('http://host/api/user/conversations?cursor=X&type=api'),
      );
    expect(byCursor({ next: 'N', previous: 'P', before: 3 })).toMatchObject({
      next_cursor: 'N',
      prev_cursor: 'P',
      current_page: 2,
      from: 4,
      to: 5,
      first_page_url: 'http://host/api/user/conversations?page=1&type=api',
      next_page_url: 'http://host/api/user/conversations?cursor=N&type=api',
      prev_page_url: 'http://host/api/user/conversations?cursor=P&type=api',
    });
    expect(byCursor({ next: null, previous: null, before: 0 })).toMatchObject({
      next_page_url: null,
      prev_page_url: null,
    });
    expect(byCursor({ next: 'N', previous: null, before: null })).toMatchObject({
      next_cursor: 'N',
      prev_cursor: null,
      next_page_url: 'http://host/api/user/conversations?page=2&type=api',
    });
  });

  it('has null for missing links', () => {
    const empty = at(1, 0, 0);
    expect(empty).toMatchObject({
      from: null,
      to: null,
      last_page: 1,
      prev_page_url: null,
      next_page_url: null,
    });
    expect(at(9, 0, 5)).toMatchObject({ from: null, to: null, last_page: 3, next_page_url: null, data: [] });
  });
});

describe('pageWindow', () => {
  it('shows every page of a short list', () => {
    expect(pageWindow(1, 13)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
  });

  it('shows three pages on each side and both ends of a long one', () => {
    expect(pageWindow(1, 50)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, null, 49, 50]);
    expect(pageWindow(20, 50)).toEqual([1, 2, null, 17, 18, 19, 20, 21, 22, 23, null, 49, 50]);
    expect(pageWindow(50, 50)).toEqual([1, 2, null, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50]);
  });
});
