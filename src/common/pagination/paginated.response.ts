import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import type { PageLink } from './envelope.js';

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

/** The schema of the envelope around `item`; its user documents both as extra models. */
export const paginatedSchema = (item: Type) => ({
  allOf: [
    { $ref: getSchemaPath(PaginatedResponse) },
    {
      type: 'object',
      required: ['data'],
      properties: { data: { type: 'array', items: { $ref: getSchemaPath(item) } } },
    },
  ],
});

/** Documents a 200 whose body is the envelope around `item`. */
export function ApiPaginated(item: Type): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(PaginatedResponse, item),
    ApiOkResponse({ schema: paginatedSchema(item) }),
  );
}

/** Documents a 200 whose body is a bare array of `item`, with `page` or `per_page` the envelope around them. */
export function ApiArrayOrPage(item: Type): MethodDecorator {
  const array = { type: 'array', items: { $ref: getSchemaPath(item) } };
  return applyDecorators(
    ApiExtraModels(PaginatedResponse, item),
    ApiOkResponse({
      schema: { oneOf: [array, paginatedSchema(item)] },
      description: 'A bare array; with `page` or `per_page` the envelope.',
    }),
  );
}
