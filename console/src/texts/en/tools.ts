export const tools = {
  title: 'Tools',
};
