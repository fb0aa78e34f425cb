/** A passage of a document in reading order. */
export interface TextBlock {
  text: string;
  /** Headings above it, outermost first. */
  headings: string[];
  /** From 1; null: the document has no pages. */
  page: number | null;
  /** Address of the page of a website; null: not a website. */
  url: string | null;
}

export interface ExtractedText {
  title: string | null;
  blocks: TextBlock[];
}

/** A part of a document that is found as one, with its source. Chunks do not overlap. */
export type Chunk = TextBlock;

/** As the process of the extraction returns it: to divide a long text takes seconds. */
export interface ChunkedText {
  title: string | null;
  chunks: Chunk[];
}

export const FILE_TYPES = ['pdf', 'txt', 'docx'] as const;
export type FileType = (typeof FILE_TYPES)[number];

export interface WebsiteRequest {
  links: string[];
  /** Pages that are read besides `links`, found by links to the same host. */
  relativeLinksLimit: number;
  accountId: number;
}

export interface WebsitePage {
  url: string;
  text: ChunkedText;
}

/** Why a document has no text, in a sentence for people, e.g. 'The PDF has no text: it is scanned.' */
export class ExtractionError extends Error {}
