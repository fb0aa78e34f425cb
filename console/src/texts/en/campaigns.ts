export const campaigns = {
  title: 'Campaigns',
};
