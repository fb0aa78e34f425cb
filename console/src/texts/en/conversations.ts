export const conversations = {
  title: 'Conversations',
};
