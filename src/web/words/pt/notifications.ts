// Printed from locales/pt/notifications.json. After a change there: bun run words
import type { notificationWords } from '../notifications.ts'

export default {
  notifications: {
    title: 'Notificações',
    of: (name) => `Notificações de ${name}`,
  },
  inbox: {
    open: 'Mostrar a caixa',
    reminder: 'Lembrete de uma mensagem salva',
  },
  unread: {
    muted: 'silenciado',
  },
  date: {
    jump: 'Ir para uma data',
  },
} satisfies typeof notificationWords
