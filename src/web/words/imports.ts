// Printed from locales/en/imports.json. After a change there: bun run words
import { inLanguage } from './plural.ts'

/** Words of the page on which a person claims their imported messages, loaded with it. */
export const importWords = inLanguage('imports', {
  title: 'Claim your messages',
  text: 'Messages that were imported from elsewhere become yours, with their files and reactions. Roles and permissions do not change. This cannot be undone.',
  take: 'These are mine',
  taken: 'The messages will be yours within minutes.',
  gone: 'The link has expired, was already used, or is for another account.',
  go: 'Continue',
})
