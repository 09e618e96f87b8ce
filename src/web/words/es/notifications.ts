// Printed from locales/es/notifications.json. After a change there: bun run words
import type { notificationWords } from '../notifications.ts'

export default {
  notifications: {
    title: 'Notificaciones',
    of: (name) => `Notificaciones de ${name}`,
  },
  inbox: {
    open: 'Mostrar la bandeja',
    reminder: 'Recordatorio de un mensaje guardado',
  },
  unread: {
    muted: 'silenciado',
  },
  date: {
    jump: 'Ir a una fecha',
  },
} satisfies typeof notificationWords
