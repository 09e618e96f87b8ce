// Printed from locales/uk/notifications.json. After a change there: bun run words
import type { notificationWords } from '../notifications.ts'

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
    muted: 'без звуку',
  },
  date: {
    jump: 'Перейти до дати',
  },
} satisfies typeof notificationWords
