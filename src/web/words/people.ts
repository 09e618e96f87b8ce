// Printed from locales/en/people.json. After a change there: bun run words
import type { Words } from './plural.ts'

/** Words for people that the page starts with. */
export const peopleWords = {
  status: {
    online: 'Online',
    idle: 'Idle',
    dnd: 'Do not disturb',
    invisible: 'Invisible',
    offline: 'Offline',
  },
  friends: {
    title: 'Friends',
  },
  profile: {
    open: 'Profile',
  },
  deletedUser: 'Deleted user',
} satisfies Words
