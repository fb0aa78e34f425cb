import { withMermaid } from 'vitepress-plugin-mermaid';

/** `[path below the folder, text]` of the pages, in the order in which a reader needs them. */
const PAGES = {
  use: [
    ['quickstart', 'Quickstart'],
    ['concepts', 'Concepts'],
    ['place-a-call', 'Place a call'],
    ['run-a-campaign', 'Run a campaign'],
    ['receive-webhooks', 'Receive webhooks'],
    ['talk-on-a-web-page', 'Talk on a web page'],
    ['import-leads', 'Import leads'],
    ['send-sms', 'Send SMS'],
    ['go-live', 'Go live'],
    ['in-a-call', 'What an assistant can do in a call'],
    ['transfers', 'Hand a call over'],
    ['calling-hours', 'Calling hours'],
    ['assistant-settings', 'Reference: settings of an assistant'],
    ['webhooks', 'Reference: webhooks'],
    ['web-calls', 'Reference: web calls'],
    ['imports', 'Reference: numbers and files'],
    ['clients', 'Reference: existing clients'],
    ['redaction', 'Keep numbers out'],
    ['retention', 'Reference: retention'],
    ['audit-log', 'Reference: audit log'],
    ['erasures', 'Reference: erasure and export'],
  ],
  run: [
    ['deployment', 'Deployment'],
    ['settings', 'Settings'],
    ['commands', 'Commands'],
    ['security', 'Security'],
    ['limits', 'Limits'],
    ['monitoring', 'Monitoring'],
    ['backup-and-upgrade', 'Backup and upgrade'],
    ['runbook', 'Runbook'],
    ['language-models', 'Language models and speech'],
    ['model-servers', 'What model servers may send'],
    ['local', 'Without an account: local models'],
    ['carrier-input', 'What the carrier may send'],
    ['recordings', 'Recordings'],
  ],
  build: [
    ['architecture', 'Architecture'],
    ['add-a-module', 'Add a module'],
    ['testing', 'Testing'],
    ['scenarios', 'Scenarios'],
    ['sandbox', 'The sandbox'],
    ['languages', 'Languages'],
    ['database-rules', 'Database rules'],
    ['benchmarks/', 'Benchmarks'],
    ['adr/', 'Decision records'],
  ],
};

const items = (folder) => PAGES[folder].map(([path, text]) => ({ text, link: `/${folder}/${path}` }));

// Files of docs/public with this extension are no pages.
process.env.VITE_EXTRA_EXTENSIONS = 'py';

export default withMermaid({
  title: 'Voice Assistant Calling Service',
  description: 'Guide of the Voice Assistant Calling Service',
  lang: 'en',
  base: '/guide/',
  outDir: '../dist/guide',
  cleanUrls: true,
  // `../README.md` and the like are not part of the site.
  srcExclude: ['package.json'],
  lastUpdated: false,
  ignoreDeadLinks: 'localhostLinks',
  // Browsers ask for /favicon.ico otherwise.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  themeConfig: {
    siteTitle: 'Calling service',
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Use it', link: '/use/quickstart', activeMatch: '/use/' },
      { text: 'Run it', link: '/run/deployment', activeMatch: '/run/' },
      { text: 'Build on it', link: '/build/architecture', activeMatch: '/build/' },
    ],
    sidebar: [
      { text: 'Use it', items: items('use') },
      { text: 'Run it', items: items('run') },
      { text: 'Build on it', items: items('build') },
      {
        text: 'More',
        items: [{ text: 'Terms', link: '/GLOSSARY' }],
      },
    ],
  },
});
