import { IntegerField } from '#src/common/validation/fields.js';
import type { Type } from '@nestjs/common';
import { ApiProperty, getSchemaPath } from '@nestjs/swagger';

export interface PageLink {
  url: string | null;
  label: string;
  active: boolean;
}

const MAX_PER_PAGE = 100;
export const DEFAULT_PER_PAGE = 15;
/** Far past any real list, and its offset still fits the database's integer. */
const MAX_PAGE = 1_000_000;

interface PageOptions {
  default?: number;
  description?: string;
}

/** An empty `page` or `per_page` is no integer. */
export const PageField = (options: PageOptions = {}) =>
  IntegerField({
    min: 1,
    max: MAX_PAGE,
    required: false,
    checksEmpty: true,
    description: 'Page number.',
    ...options,
  });

export const PageSizeField = (options: PageOptions = {}) =>
  IntegerField({
    min: 1,
    max: MAX_PER_PAGE,
    required: false,
    checksEmpty: true,
    description: 'Page size.',
    ...options,
  });

/** Query of a paginated list whose default page size is `perPage`. */
export function pageQuery(perPage = DEFAULT_PER_PAGE) {
  class PageQuery {
    @PageField({ default: 1 })
    page: number = 1;

    @PageSizeField({ default: perPage })
    per_page: number = perPage;
  }
  return PageQuery;
}

export interface PageRequest {
  page: number;
  per_page: number;
}

export const pageOffset = ({ page, per_page }: PageRequest): number => (page - 1) * per_page;

/** Places in a list, as the client gets them. */
export interface PageCursors {
  /** Cursors of the next and the previous page; null: there is none. */
  next: string | null;
  previous: string | null;
  /** Number of rows before a page that was requested by a cursor; null: requested by its number. */
  before: number | null;
}

/** A page whose elements are streamed as JSON text: it can be too large for memory. */
export class StreamedPage {
  constructor(
    readonly pieces: AsyncIterable<string>,
    readonly count: number,
    readonly total: number,
    readonly request: PageRequest,
  ) {}
}

/** One page of a list; the `PageInterceptor` turns it into the envelope with its links. */
export class Page<T> {
  /** @param cursors of a list that can also be read from a place on */
  constructor(
    readonly items: T[],
    readonly total: number,
    readonly request: PageRequest,
    readonly cursors?: PageCursors,
  ) {}

  map<U>(transform: (item: T) => U): Page<U> {
    return new Page(this.items.map(transform), this.total, this.request, this.cursors);
  }
}

class PageLinkResponse implements PageLink {
  @ApiProperty({ type: String, nullable: true }) url: string | null;
  @ApiProperty() label: string;
  @ApiProperty() active: boolean;
}

/** The envelope without its `data`. */
export class PaginatedResponse {
  @ApiProperty({ type: 'integer' }) current_page: number;
  @ApiProperty() first_page_url: string;
  @ApiProperty({ type: 'integer', nullable: true }) from: number | null;
  @ApiProperty({ type: 'integer' }) last_page: number;
  @ApiProperty() last_page_url: string;
  @ApiProperty({ type: [PageLinkResponse] }) links: PageLinkResponse[];
  @ApiProperty({ type: String, nullable: true }) next_page_url: string | null;
  @ApiProperty() path: string;
  @ApiProperty({ type: 'integer' }) per_page: number;
  @ApiProperty({ type: String, nullable: true }) prev_page_url: string | null;
  @ApiProperty({ type: 'integer', nullable: true }) to: number | null;
  @ApiProperty({ type: 'integer' }) total: number;
}

/** Of a list that can also be read from a place on. */
export class CursorsResponse {
  @ApiProperty({ type: String, nullable: true, description: 'For `cursor`: what follows the page.' })
  next_cursor: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'For `cursor`: what comes before the page.' })
  prev_cursor: string | null;
}

/** The schema of the envelope around `item`; its user documents both as extra models. */
export const paginatedSchema = (
  item: Type,
  { withCursors = false }: { withCursors?: boolean | undefined } = {},
) => ({
  allOf: [
    { $ref: getSchemaPath(PaginatedResponse) },
    ...(withCursors ? [{ $ref: getSchemaPath(CursorsResponse) }] : []),
    {
      type: 'object',
      required: ['data'],
      properties: { data: { type: 'array', items: { $ref: getSchemaPath(item) } } },
    },
  ],
});
