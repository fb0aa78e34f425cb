export const numbers = {
  title: 'Numbers',
};
