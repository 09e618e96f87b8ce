// Printed from locales/fr/people.json. After a change there: bun run words
import type { peopleWords } from '../people.ts'

export default {
  status: {
    online: 'En ligne',
    idle: 'Absent',
    dnd: 'Ne pas déranger',
    invisible: 'Invisible',
    offline: 'Hors ligne',
  },
  friends: {
    title: 'Amis',
  },
  profile: {
    open: 'Profil',
  },
  deletedUser: 'Compte supprimé',
} satisfies typeof peopleWords
