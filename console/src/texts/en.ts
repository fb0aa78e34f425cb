import { apiKeys } from './en/api-keys';
import { assistants } from './en/assistants';
import { auditLog } from './en/audit-log';
import { balance } from './en/balance';
import { call } from './en/call';
import { calls } from './en/calls';
import { campaigns } from './en/campaigns';
import { conversations } from './en/conversations';
import { knowledge } from './en/knowledge';
import { leads } from './en/leads';
import { live } from './en/live';
import { messages } from './en/messages';
import { numbers } from './en/numbers';
import { overview } from './en/overview';
import { personalData } from './en/personal-data';
import { retention } from './en/retention';
import { shell } from './en/shell';
import { spendLimit } from './en/spend-limit';
import { suppressions } from './en/suppressions';
import { tools } from './en/tools';
import { webhooks } from './en/webhooks';
import { widget } from './en/widget';

/** Every text of the console: what all pages use, one part for each folder of `pages/`, and of the spend limit. */
export const en = {
  ...shell,
  apiKeys,
  assistants,
  auditLog,
  balance,
  call,
  calls,
  campaigns,
  conversations,
  knowledge,
  leads,
  live,
  messages,
  numbers,
  overview,
  personalData,
  retention,
  spendLimit,
  suppressions,
  tools,
  webhooks,
  widget,
};
