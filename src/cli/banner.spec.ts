import { expect, it } from '@jest/globals';
import { banner } from './banner.js';

it('the banner says where the service is and what to try first', () => {
  const text = banner(
    {
      base_url: 'http://127.0.0.1:3000/api',
      docs_url: 'http://127.0.0.1:3000/docs',
      sandbox_url: 'http://127.0.0.1:4010',
      accounts: [
        { email: 'demo@example.com', token: 'vac_first', phone_numbers: [], campaign_id: 1 },
        { email: 'second@example.com', token: 'vac_second', phone_numbers: [], campaign_id: 2 },
      ],
    },
    { seconds: 1.234 },
  );
  expect(text).toContain('ready in 1.2 s');
  expect(text).toContain('http://127.0.0.1:3000/docs');
  expect(text).toContain("curl -H 'Authorization: Bearer vac_first' http://127.0.0.1:3000/api/user/me");
  expect(text).toContain('no real call is made');
  expect(text).not.toContain('vac_second');
});
