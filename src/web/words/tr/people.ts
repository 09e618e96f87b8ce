// Printed from locales/tr/people.json. After a change there: bun run words
import type { peopleWords } from '../people.ts'

export default {
  status: {
    online: 'Çevrimiçi',
    idle: 'Boşta',
    dnd: 'Rahatsız etme',
    invisible: 'Görünmez',
    offline: 'Çevrimdışı',
  },
  friends: {
    title: 'Arkadaşlar',
  },
  profile: {
    open: 'Profil',
  },
  deletedUser: 'Silinmiş hesap',
} satisfies typeof peopleWords
