type Words = Record<string, string>;

export const knowledge = {
  title: 'Knowledge',
  create: 'New knowledge base',
  empty: {
    title: 'No knowledge base yet',
    text: 'A knowledge base holds your documents: opening hours, prices, manuals, pages of your website. An assistant that has one looks up what it is asked, and says so when no document knows it.',
  },
  columns: {
    name: 'Name',
    status: 'State',
    documents: 'Documents',
    assistants: 'Assistants',
    language: 'Language',
    updated: 'Changed',
  },
  statuses: { empty: 'empty', processing: 'being read', active: 'active', failed: 'failed' } as Words,
  new: {
    title: 'New knowledge base',
    text: 'One topic for each: an assistant has one base.',
    submit: 'Create and add documents',
    created: (name: string): string => `${name} is created: add its documents.`,
  },
  fields: {
    name: 'Name',
    description: 'What is in it',
    descriptionHelp: 'The assistant reads it to know when to look something up here.',
    descriptionHint: 'Opening hours, prices and returns of the shop',
    language: 'Language of the documents',
    languageHelp: 'Words are found in all their forms. It cannot be changed later.',
  },
  tabs: { documents: 'Documents', unanswered: 'Unanswered questions', settings: 'Settings' },
  saved: 'Saved. The next call uses it.',
  delete: 'Delete',
  deleted: (name: string): string => `${name} is deleted.`,
  deleteFailed: 'It was not deleted',
  deleteQuestion: {
    title: (name: string): string => `Delete ${name}?`,
    text: (documents: number, assistants: number): string =>
      [
        documents === 0
          ? ''
          : documents === 1
            ? 'Its document goes with it.'
            : `Its ${documents} documents go with it.`,
        assistants === 0
          ? ''
          : assistants === 1
            ? 'One assistant answers without it from then on.'
            : `${assistants} assistants answer without it from then on.`,
        'This cannot be undone.',
      ]
        .filter((text) => text !== '')
        .join(' '),
  },
  /** The base in a sentence or two. */
  sentence: {
    none: 'It has no documents yet.',
    active: (n: number): string => (n === 1 ? '1 document is searched' : `${n} documents are searched`),
    processing: (n: number): string => (n === 1 ? '1 is being read' : `${n} are being read`),
    failed: (n: number): string => (n === 1 ? '1 has failed' : `${n} have failed`),
    assistants: (n: number): string =>
      n === 0
        ? 'No assistant has it yet: choose it in an assistant, under “Tools and knowledge”.'
        : n === 1
          ? 'One assistant answers from it.'
          : `${n} assistants answer from it.`,
  },

  documents: {
    first: 'Drop the documents here that the assistant answers from, choose them, or name a website.',
    drop: 'Drop further documents here',
    help: 'PDF with text, Word (.docx) or text (.txt, .md), up to 20 MB each.',
    choose: 'Choose files',
    table: 'Documents',
    name: 'Name',
    type: 'Type',
    status: 'State',
    passages: 'Passages',
    updated: 'Changed',
  },
  types: { website: 'Website', pdf: 'PDF', txt: 'Text', docx: 'Word' } as Words,
  uploads: {
    title: 'Files on their way',
    waiting: 'waits',
    sent: (percent: number): string => `${percent} % sent`,
    stored: 'is stored',
    progressOf: (name: string): string => `Upload of ${name}`,
    wrongType: 'It is none of PDF, Word (.docx) and text (.txt, .md).',
    retry: 'Try again',
    retryOf: (name: string): string => `Try ${name} again`,
    dismiss: (name: string): string => `Take ${name} off this list`,
    leave: {
      title: 'Leave while files are sent?',
      text: 'Those that are not sent yet are not added.',
      confirm: 'Leave',
      cancel: 'Stay',
    },
  },
  website: {
    action: 'Add a website',
    title: 'Add a website',
    text: 'Its pages are read as a visitor without an account sees them, and not where robots.txt forbids it.',
    url: 'Address',
    name: 'Name',
    nameHelp: 'Left empty, the name of its host.',
    unnamed: 'Website',
    links: 'Further addresses',
    linksHelp: 'Pages that no link leads to. Enter after each.',
    limit: 'Pages found by links',
    limitHelp: 'So many pages of the same host are read besides.',
    submit: 'Read it',
    added: (name: string): string => `${name} is being read.`,
  },

  document: {
    active: (n: number): string => (n === 1 ? '1 passage is searched.' : `${n} passages are searched.`),
    processing: 'It is being read: its passages appear here.',
    refreshing: 'It is being read again; until then the passages below are searched.',
    failed: (reason: string): string => `It was not read: ${reason}`,
    noPassages: { title: 'No passages', text: 'Nothing of this document is searched.' },
    reading: { title: 'It is being read', text: 'Its passages appear here as soon as they are searched.' },
    passage: '#',
    place: 'Where it stands',
    text: 'Passage',
    page: (n: number): string => `page ${n}`,
    website: 'Website',
    size: 'Size',
    added: 'Added',
    addresses: 'Addresses',
    limit: 'Pages found by links',
    limitOf: (n: number): string => (n === 0 ? 'none' : `up to ${n}`),
    description: 'Note',
    refresh: 'Read it again',
    refreshed: 'It is read again.',
    refreshFailed: 'It is not read again',
    edit: 'Rename',
    editTitle: 'Rename the document',
    name: 'Name',
    descriptionHelp: 'For your own records.',
    renamed: 'Saved.',
    deleteQuestion: {
      title: (name: string): string => `Delete ${name}?`,
      text: 'Assistants no longer find what is in it. This cannot be undone.',
    },
  },

  search: {
    title: 'Ask it',
    text: 'What an assistant would find. A part in double quotes has to stand so in the text.',
    label: 'Question or words',
    placeholder: 'When do you close?',
    submit: 'Search',
    results: 'What is found',
    score: (score: string): string => `score ${score}`,
    coverage: (share: string): string => `${share} of the question`,
    words: (words: string): string => `found by: ${words}`,
    scoreHelp: 'Rare words count more, and words of titles and headings. Scores of one search compare.',
    passage: (document: string, n: number): string => `${document}, passage ${n}`,
    more: 'Show all of it',
    less: 'Show less',
    none: 'No document has these words.',
    before: 'The passages that fit best appear here, with the reason for each.',
  },

  unanswered: {
    text: 'What callers and visitors asked and no document answered: add it to a document, then ask it.',
    table: 'Unanswered questions',
    question: 'Question',
    times: 'Asked',
    last: 'Last asked',
    none: {
      title: 'No unanswered question',
      text: 'When an assistant looks something up and no document has it, the question is listed here.',
    },
    ask: (question: string): string => `Ask: ${question}`,
  },
};
