// Printed from locales/fr/notifications.json. After a change there: bun run words
import type { notificationWords } from '../notifications.ts'

export default {
  notifications: {
    title: 'Notifications',
    of: (name) => `Notifications pour ${name}`,
  },
  inbox: {
    open: 'Afficher la boîte',
    reminder: 'Rappel d’un message enregistré',
  },
  unread: {
    muted: 'en sourdine',
  },
  date: {
    jump: 'Aller à une date',
  },
} satisfies typeof notificationWords
