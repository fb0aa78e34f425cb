import { pageQuery } from '#src/http/pagination/page.js';
import { EnumField, IntegerField, TextField, UrlField } from '#src/common/validation/fields.js';
import { ListField } from '#src/common/validation/object-fields.js';
import { UpdateType } from '#src/common/validation/update-type.js';
import {
  DEFAULT_WEBSITE_PAGES,
  DOCUMENT_TYPES,
  MAX_WEBSITE_LINKS,
  type DocumentType,
} from '../knowledge.types.js';

export class WebsiteLink {
  @UrlField({ example: 'https://example.com/help' })
  link: string;
}

class DocumentFields {
  @TextField({ max: 255, example: 'Returns' })
  name: string;

  @TextField({ required: false, nullable: true, max: 255 })
  description?: string | null;
}

export class CreateDocumentDto extends DocumentFields {
  @EnumField(DOCUMENT_TYPES, { description: 'All but `website` need a form with the `file`.' })
  type: DocumentType;

  @UrlField({ required: false, description: 'Of a website: the same as one of the `links`.' })
  url?: string;

  @ListField(() => WebsiteLink, {
    required: false,
    max: MAX_WEBSITE_LINKS,
    description: 'Of a website: pages that are read.',
  })
  links?: WebsiteLink[];

  @IntegerField({
    required: false,
    min: 1,
    max: MAX_WEBSITE_LINKS,
    default: DEFAULT_WEBSITE_PAGES,
    description: 'Of a website: how many pages of the same host are read besides, found by their links.',
  })
  relative_links_limit?: number;
}

export class ListChunksDto extends pageQuery() {}

/** Absent keeps the value; null is accepted only by nullable fields. */
export class UpdateDocumentDto extends UpdateType(DocumentFields) {}
