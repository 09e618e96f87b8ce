// Printed from locales/en/guests.json. After a change there: bun run words
import { inLanguage } from './plural.ts'

/** Words for guests, loaded on the page of an invite and in their settings. */
export const guestWords = inLanguage('guests', {
  join: 'Join as a guest',
  name: 'Your name',
  hint: 'For 24 hours, without an account. During that time you can turn it into an account that stays.',
  keep: 'Keep this account',
  keepText: 'You are a guest. Choose a username and a password to keep this account and everything you have written.',
  ends: (time: string) => `Otherwise it ends: ${time}.`,
})
