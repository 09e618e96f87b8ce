// Printed from locales/uk/notifications.json. After a change there: bun run words
import type { notificationWords } from '../notifications.ts'
import { count } from './plural.ts'

export default {
  notifications: {
    title: 'Сповіщення',
    of: (name) => `Сповіщення: ${name}`,
  },
  inbox: {
    open: 'Показати вхідні',
    reminder: 'Нагадування про збережене повідомлення',
  },
  unread: {
    mark: 'Позначити непрочитаним звідси',
    since: (n) =>
      count(n, '# непрочитана згадка', '# непрочитані згадки', '# непрочитаних згадок', '# непрочитаної згадки'),
    toFirst: 'До першого непрочитаного повідомлення',
    muted: 'без звуку',
  },
  date: {
    jump: 'Перейти до дати',
  },
  completion: {
    everyone: 'Сповістити всіх учасників',
    here: 'Сповістити всіх учасників у мережі',
    mayNot: 'Ви не маєте права це згадувати. Залишиться звичайним текстом',
    role: 'роль',
  },
} satisfies typeof notificationWords
