export const assistants = {
  title: 'Assistants',
};
