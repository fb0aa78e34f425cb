export const suppressions = {
  title: 'Do not call',
};
