// Printed from locales/de/people.json. After a change there: bun run words
import type { peopleWords } from '../people.ts'

export default {
  status: {
    online: 'Online',
    idle: 'Abwesend',
    dnd: 'Bitte nicht stören',
    invisible: 'Unsichtbar',
    offline: 'Offline',
  },
  friends: {
    title: 'Freunde',
  },
  profile: {
    open: 'Profil',
  },
  deletedUser: 'Gelöschtes Konto',
} satisfies typeof peopleWords
