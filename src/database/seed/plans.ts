/** `free` limits are those of a first look; an account on `unlimited` meets only the machine's. */
export const PLANS = [
  {
    name: 'free',
    max_tools: 5,
    max_assistants: 1000,
    max_campaigns: 5,
    max_leads_per_campaign: 1_000_000,
    max_parallel_calls: 2,
    price_per_minute_micros: 0,
  },
  {
    name: 'standard',
    max_tools: 50,
    max_assistants: 1000,
    max_campaigns: 100,
    max_leads_per_campaign: 1_000_000,
    max_parallel_calls: 10,
    price_per_minute_micros: 50_000,
  },
  {
    name: 'unlimited',
    max_tools: 1000,
    max_assistants: 1_000_000,
    max_campaigns: 10_000,
    max_leads_per_campaign: 100_000_000,
    max_parallel_calls: 1000,
    price_per_minute_micros: 20_000,
  },
];
