export const messages = {
  title: 'Messages',
};
