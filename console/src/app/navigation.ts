import {
  BookOpenText,
  BookUser,
  Bot,
  Code,
  Gauge,
  Hash,
  Hourglass,
  KeyRound,
  Mail,
  Megaphone,
  MessagesSquare,
  Phone,
  PhoneOff,
  Radio,
  ScrollText,
  UserX,
  Wallet,
  Webhook,
  Wrench,
  type LucideIcon,
} from 'lucide-react';
import type { Scope } from '#console/session/session';
import { t } from '#console/texts';

interface NavigationItem {
  to: string;
  label: string;
  icon: LucideIcon;
  /** Hidden from keys without it. */
  scope: Scope;
}

const item = (to: string, label: string, icon: LucideIcon, scope: Scope = 'read'): NavigationItem => ({
  to,
  label,
  icon,
  scope,
});

/** The pages, as the navigation and the search show them. */
export const NAVIGATION: { label: string; items: NavigationItem[] }[] = [
  {
    label: t.shell.groups.work,
    items: [
      item('/', t.overview.title, Gauge),
      item('/calls', t.calls.title, Phone),
      item('/live', t.live.title, Radio),
      item('/campaigns', t.campaigns.title, Megaphone),
      item('/leads', t.leads.title, BookUser),
      item('/conversations', t.conversations.title, MessagesSquare),
      item('/messages', t.messages.title, Mail),
    ],
  },
  {
    label: t.shell.groups.build,
    items: [
      item('/assistants', t.assistants.title, Bot),
      item('/tools', t.tools.title, Wrench),
      item('/knowledge', t.knowledge.title, BookOpenText),
      item('/widget', t.widget.title, Code),
      item('/webhooks', t.webhooks.title, Webhook),
    ],
  },
  {
    label: t.shell.groups.account,
    items: [
      item('/numbers', t.numbers.title, Hash),
      item('/suppressions', t.suppressions.title, PhoneOff),
      item('/balance', t.balance.title, Wallet),
      item('/retention', t.retention.title, Hourglass),
      item('/personal-data', t.personalData.title, UserX, 'admin'),
      item('/api-keys', t.apiKeys.title, KeyRound, 'admin'),
      item('/audit-log', t.auditLog.title, ScrollText, 'admin'),
    ],
  },
];
