// Printed from locales/pl/notifications.json. After a change there: bun run words
import type { notificationWords } from '../notifications.ts'

export default {
  notifications: {
    title: 'Powiadomienia',
    of: (name) => `Powiadomienia: ${name}`,
  },
  inbox: {
    open: 'Pokaż skrzynkę',
    reminder: 'Przypomnienie o zapisanej wiadomości',
  },
  unread: {
    muted: 'wyciszono',
  },
  date: {
    jump: 'Przejdź do daty',
  },
} satisfies typeof notificationWords
