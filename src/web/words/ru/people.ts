// Printed from locales/ru/people.json. After a change there: bun run words
import type { peopleWords } from '../people.ts'

export default {
  status: {
    online: 'В сети',
    idle: 'Неактивен',
    dnd: 'Не беспокоить',
    invisible: 'Невидимый',
    offline: 'Не в сети',
  },
  friends: {
    title: 'Друзья',
  },
  profile: {
    open: 'Профиль',
  },
  deletedUser: 'Удалённый аккаунт',
} satisfies typeof peopleWords
