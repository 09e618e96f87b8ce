import { inLanguage } from './plural.ts'

/** Words of the page of webhooks. */
export const webhookWords = inLanguage('webhooks', {
  tab: 'Integrations',
  title: 'Webhooks',
  hint: 'A webhook is a URL by which another program writes in a channel: Grafana, GitHub, a script of yours.',
  name: 'Name of the webhook',
  channel: 'Channel',
  make: 'New webhook',
  none: 'No webhooks yet',
  noneText: 'Make one, and paste its URL into the other program.',
  madeBy: (name: string) => `by ${name}`,
  url: 'URL of the webhook',
  shownOnce: 'This URL is shown once. Whoever has it can write in the channel: keep it like a password.',
  suffixes: 'For Slack’s format add /slack to it, for GitHub’s /github.',
  edit: (name: string) => `Change ${name}`,
  close: 'Close',
  rotate: 'Renew the URL',
  rotateText: 'The URL before ends at once. Programs that use it need the new one.',
  delete: (name: string) => `Delete ${name}`,
  deleteText: 'Programs that use its URL cannot write any more. What it wrote stays.',
  mentions: 'May mention everyone, and every role',
  problems: {
    too_many_webhooks: 'This channel has 15 webhooks already.',
  },
})
