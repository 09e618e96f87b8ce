// Printed from locales/ru/notifications.json. After a change there: bun run words
import type { notificationWords } from '../notifications.ts'

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
    muted: 'без звука',
  },
  date: {
    jump: 'Перейти к дате',
  },
} satisfies typeof notificationWords
