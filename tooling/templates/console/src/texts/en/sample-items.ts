export const sampleItems = {
  title: 'Sample items',
  create: 'New sample item',
  empty: {
    title: 'No sample items yet',
    text: 'What is created here or over the API is in this list.',
  },
  name: 'Name',
  note: 'Note',
  createdAt: 'Created',
  created: 'The sample item is created',
  saved: 'The sample item is saved',
};
