/** What the file of refused lines has behind its columns: imported again, they are left out. */
export const ADDED = ['line', 'problem'];
