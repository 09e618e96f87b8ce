// Printed from locales/de/notifications.json. After a change there: bun run words
import type { notificationWords } from '../notifications.ts'

export default {
  notifications: {
    title: 'Benachrichtigungen',
    of: (name) => `Benachrichtigungen für ${name}`,
  },
  inbox: {
    open: 'Postfach anzeigen',
    reminder: 'Erinnerung an eine gespeicherte Nachricht',
  },
  unread: {
    muted: 'stumm',
  },
  date: {
    jump: 'Zu einem Datum springen',
  },
} satisfies typeof notificationWords
