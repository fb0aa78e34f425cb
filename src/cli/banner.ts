import type { DemoFile } from './demo-accounts.js';

/** What the first start tells the person in front of it. `seconds`: how long the start took. */
export function banner(
  { base_url, docs_url, sandbox_url, accounts }: DemoFile,
  ready: { seconds: number },
): string {
  const [first] = accounts;
  const carrier = sandbox_url === null ? 'as set' : `sandbox at ${sandbox_url}: no real call is made`;
  return [
    '',
    `  Voice Assistant Calling Service, ready in ${ready.seconds.toFixed(1)} s`,
    '',
    `  API      ${base_url}`,
    `  Docs     ${docs_url}`,
    `  Carrier  ${carrier}`,
    `  Account  ${first?.email}`,
    `  Token    ${first?.token}`,
    '',
    '  Try it:',
    '',
    `    curl -H 'Authorization: Bearer ${first?.token}' ${base_url}/user/me`,
    '',
    '  See six calls: npm run demo',
    '',
  ].join('\n');
}
