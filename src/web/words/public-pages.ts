// Printed from locales/en/public-pages.json. After a change there: bun run words
import { inLanguage } from './plural.ts'

/** Words of the settings of public pages. */
export const publicWords = inLanguage('public-pages', {
  title: 'Public pages',
  server: 'Channels of this server may be public',
  serverText: 'Choose single channels and forums in their settings. Without that, nothing is public.',
  indexed: 'Search engines may list them',
  channel: 'Everybody reads this channel, without an account',
  channelText: 'Messages of held-back members, and of those who joined in the last 24 hours, are left out.',
  serverOff: 'First allow public pages in the settings of the server.',
  older: 'Also what was written before',
  olderText: ({ people, messages }: { people: string; messages: string }) =>
    `People who wrote here: ${people}. Their messages: ${messages}.`,
  open: 'Open the public page',
  here: 'Everybody can read what is written here, without an account.',
  name: 'Public pages show my name',
  nameText: 'Otherwise they call you “A member”.',
})
