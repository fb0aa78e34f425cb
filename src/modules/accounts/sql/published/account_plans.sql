-- What other modules read of many accounts at once. can_call: the balance pays for a call.
CREATE OR REPLACE VIEW account_plans AS
  SELECT account.id AS account_id, plan.max_assistants, plan.max_leads_per_campaign, plan.max_parallel_calls,
         account.allowed_countries, account.balance_micros - account.held_micros AS available_micros,
         account.balance_micros - account.held_micros > 0
           AND account.balance_micros - account.held_micros >= plan.price_per_minute_micros AS can_call
    FROM accounts account JOIN plans plan ON plan.id = account.plan_id;
