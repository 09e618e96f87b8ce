// Printed from locales/en/completions.json. After a change there: bun run words
import { inLanguage } from './plural.ts'

/** Words of the lists that complete what is typed. */
export const completionWords = inLanguage('completions', {
  everyone: 'Notify every member',
  here: 'Notify every member who is online',
  mayNot: 'You do not have permission to mention this. It stays plain text',
  role: 'role',
  people: 'People to mention',
  emoji: 'Emoji suggestions',
})
