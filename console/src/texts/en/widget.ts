export const widget = {
  title: 'Widget',
};
