export const DOCUMENT_TYPES = ['website', 'pdf', 'txt', 'docx'] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

export const DOCUMENT_STATES = ['processing', 'active', 'failed'] as const;
export type DocumentState = (typeof DOCUMENT_STATES)[number];

/** `processing`: at least one of its documents is; `failed`: all of them are. */
export const BASE_STATES = ['empty', ...DOCUMENT_STATES] as const;
export type BaseState = (typeof BASE_STATES)[number];

export const TYPE_LABELS = {
  website: 'Website',
  pdf: 'PDF',
  txt: 'TXT',
  docx: 'DOCX',
} as const satisfies Record<DocumentType, string>;

export const STATE_LABELS = {
  empty: 'Empty',
  processing: 'Processing',
  active: 'Active',
  failed: 'Failed',
} as const satisfies Record<BaseState, string>;

/** By ISO 639-1: PostgreSQL's text search configuration. `simple` compares words as they are written. */
export const TEXT_SEARCH_CONFIGS = {
  en: 'english',
  de: 'german',
  fr: 'french',
  es: 'spanish',
  it: 'italian',
  pt: 'portuguese',
  nl: 'dutch',
  tr: 'turkish',
  sv: 'swedish',
  da: 'danish',
  no: 'norwegian',
  fi: 'finnish',
  hu: 'hungarian',
  ro: 'romanian',
  ru: 'russian',
  el: 'greek',
  ar: 'arabic',
  hi: 'hindi',
  id: 'indonesian',
  ca: 'catalan',
  pl: 'simple',
  cs: 'simple',
  sk: 'simple',
  bg: 'simple',
  uk: 'simple',
  he: 'simple',
  vi: 'simple',
  ja: 'simple',
  ko: 'simple',
  zh: 'simple',
  hr: 'simple',
} as const;

export type KnowledgeLanguage = keyof typeof TEXT_SEARCH_CONFIGS;
export const KNOWLEDGE_LANGUAGES = Object.keys(TEXT_SEARCH_CONFIGS) as KnowledgeLanguage[];

export const MAX_FILE_MEGABYTES = 20;
export const MAX_WEBSITE_LINKS = 50;
export const DEFAULT_WEBSITE_PAGES = 10;
