import { ApiError, Invalid, Unprocessable } from '#src/common/errors/api-error.js';
import { fieldMessage } from '#src/common/validation/field-rules.js';

/** The clients of these endpoints read the text under `error`. */
class KnowledgeNotFound extends ApiError {
  constructor(message: string) {
    super(404, message, { error: message });
  }
}

export class KnowledgeBaseNotFound extends KnowledgeNotFound {
  constructor() {
    super('Knowledgebase not found.');
  }
}

export class DocumentNotFound extends KnowledgeNotFound {
  constructor() {
    super('Document not found.');
  }
}

export class DocumentFileMissing extends Invalid {
  constructor() {
    super({ file: ['A file is required for this document type.'] });
  }
}

export class WebsiteLinkMissing extends Invalid {
  constructor() {
    super({ links: [fieldMessage('links', 'is required for a website')] });
  }
}

/** Linked pages of one document. */
export class WebsiteTooLarge extends Invalid {
  constructor(field: 'links' | 'relative_links_limit', pages: number) {
    super({ [field]: [`Your plan allows ${pages} pages of a website.`] });
  }
}

export class KnowledgeLimitReached extends Unprocessable {
  constructor(limit: number, things: 'knowledgebases' | 'documents' | 'megabytes of documents') {
    super(`You have reached your plan limit of ${limit} ${things}. Please upgrade your plan to create more.`);
  }
}

/** A file is kept only until it is processed. */
export class FileNotKept extends Unprocessable {
  constructor() {
    super('Only a website can be read again. Create a new document with the file.');
  }
}
