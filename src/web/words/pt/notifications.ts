// Printed from locales/pt/notifications.json. After a change there: bun run words
import type { notificationWords } from '../notifications.ts'
import { count } from './plural.ts'

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
    mark: 'Marcar como não lida a partir daqui',
    since: (n) => count(n, '# menção não lida', '# de menções não lidas', '# menções não lidas'),
    toFirst: 'Ir para a primeira mensagem não lida',
    muted: 'silenciado',
  },
  date: {
    jump: 'Ir para uma data',
  },
  completion: {
    everyone: 'Notificar todos os membros',
    here: 'Notificar todos os membros online',
    mayNot: 'Você não tem permissão para mencionar isto. Fica como texto comum',
    role: 'cargo',
  },
} satisfies typeof notificationWords
