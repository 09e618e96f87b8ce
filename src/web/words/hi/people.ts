// Printed from locales/hi/people.json. After a change there: bun run words
import type { peopleWords } from '../people.ts'

export default {
  status: {
    online: 'ऑनलाइन',
    idle: 'निष्क्रिय',
    dnd: 'परेशान न करें',
    invisible: 'अदृश्य',
    offline: 'ऑफ़लाइन',
  },
  friends: {
    title: 'मित्र',
  },
  profile: {
    open: 'प्रोफ़ाइल',
  },
  deletedUser: 'हटाया गया खाता',
} satisfies typeof peopleWords
