// Printed from locales/ru/notifications.json. After a change there: bun run words
import type { notificationWords } from '../notifications.ts'
import { count } from './plural.ts'

export default {
  notifications: {
    title: 'Уведомления',
    of: (name) => `Уведомления: ${name}`,
  },
  inbox: {
    open: 'Показать входящие',
    reminder: 'Напоминание о сохранённом сообщении',
  },
  unread: {
    mark: 'Отметить непрочитанным отсюда',
    since: (n) =>
      count(
        n,
        '# непрочитанное упоминание',
        '# непрочитанных упоминания',
        '# непрочитанных упоминаний',
        '# непрочитанного упоминания',
      ),
    toFirst: 'К первому непрочитанному сообщению',
    muted: 'без звука',
  },
  date: {
    jump: 'Перейти к дате',
  },
  completion: {
    everyone: 'Уведомить всех участников',
    here: 'Уведомить всех участников в сети',
    mayNot: 'У вас нет права это упоминать. Останется обычным текстом',
    role: 'роль',
  },
} satisfies typeof notificationWords
