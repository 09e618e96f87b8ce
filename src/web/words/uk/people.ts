// Printed from locales/uk/people.json. After a change there: bun run words
import type { peopleWords } from '../people.ts'

export default {
  status: {
    online: 'У мережі',
    idle: 'Неактивний',
    dnd: 'Не турбувати',
    invisible: 'Невидимий',
    offline: 'Не в мережі',
  },
  friends: {
    title: 'Друзі',
  },
  profile: {
    open: 'Профіль',
  },
  deletedUser: 'Видалений обліковий запис',
} satisfies typeof peopleWords
