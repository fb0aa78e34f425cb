export const leads = {
  title: 'Leads',
};
