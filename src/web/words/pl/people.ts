// Printed from locales/pl/people.json. After a change there: bun run words
import type { peopleWords } from '../people.ts'

export default {
  status: {
    online: 'Online',
    idle: 'Zaraz wracam',
    dnd: 'Nie przeszkadzać',
    invisible: 'Niewidoczny',
    offline: 'Offline',
  },
  friends: {
    title: 'Znajomi',
  },
  profile: {
    open: 'Profil',
  },
  deletedUser: 'Usunięte konto',
} satisfies typeof peopleWords
