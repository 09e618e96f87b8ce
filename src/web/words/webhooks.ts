// Printed from locales/en/webhooks.json. After a change there: bun run words
import { inLanguage } from './plural.ts'

/** Words of the page of webhooks. */
export const webhookWords = inLanguage('webhooks', {
  tab: 'Integrations',
  title: 'Webhooks',
  hint: 'A webhook is a URL that lets another program post in a channel: Grafana, GitHub or your own script.',
  name: 'Webhook name',
  channel: 'Channel',
  make: 'New webhook',
  none: 'No webhooks yet',
  noneText: 'Create one, and paste its URL into the other program.',
  madeBy: (name: string) => `by ${name}`,
  url: 'Webhook URL',
  shownOnce: 'This URL is shown only once. Anyone who has it can post in the channel: keep it like a password.',
  suffixes: 'For Slack’s format, add /slack to it; for GitHub’s, /github.',
  edit: (name: string) => `Edit ${name}`,
  close: 'Close',
  rotate: 'Reset URL',
  rotateText: 'The old URL stops working immediately. Programs that use it need the new one.',
  delete: (name: string) => `Delete ${name}`,
  deleteText: 'Programs that use its URL can no longer post. Its messages stay.',
  mentions: 'Can mention everyone, and every role',
  problems: {
    too_many_webhooks: 'This channel already has 15 webhooks.',
  },
})
