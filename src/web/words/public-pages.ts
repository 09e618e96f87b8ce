// Printed from locales/en/public-pages.json. After a change there: bun run words
import { inLanguage } from './plural.ts'

/** Words of the settings of public pages. */
export const publicWords = inLanguage('public-pages', {
  title: 'Public pages',
  server: 'Channels of this server may be public',
  serverText: 'Then turn this on for each channel or forum in its own settings. Until then, nothing is public.',
  indexed: 'Search engines may list them',
  channel: 'Anyone can read this channel without an account',
  channelText:
    'Messages from members who are quarantined or cannot write yet, and from members who joined in the last 24 hours, are left out.',
  serverOff: 'First allow public pages in the settings of the server.',
  older: 'Include older messages',
  olderText: ({ people, messages }: { people: string; messages: string }) =>
    `People who wrote here: ${people}. Their messages: ${messages}.`,
  open: 'Open the public page',
  here: 'Anyone can read what you write here, without an account.',
  name: 'Show my name on public pages',
  nameText: 'Otherwise you appear there as “A member”.',
})
