// Printed from locales/es/notifications.json. After a change there: bun run words
import type { notificationWords } from '../notifications.ts'
import { count } from './plural.ts'

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
    mark: 'Marcar como no leído desde aquí',
    since: (n) => count(n, '# mención sin leer', '# de menciones sin leer', '# menciones sin leer'),
    toFirst: 'Ir al primer mensaje sin leer',
    muted: 'silenciado',
  },
  date: {
    jump: 'Ir a una fecha',
  },
  completion: {
    everyone: 'Notificar a todos los miembros',
    here: 'Notificar a todos los miembros en línea',
    mayNot: 'No tienes permiso para mencionar esto. Se queda como texto normal',
    role: 'rol',
  },
} satisfies typeof notificationWords
