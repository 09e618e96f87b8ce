// Printed from locales/fr/notifications.json. After a change there: bun run words
import type { notificationWords } from '../notifications.ts'
import { count } from './plural.ts'

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
    mark: 'Marquer comme non lu à partir d’ici',
    since: (n) => count(n, '# mention non lue', '# de mentions non lues', '# mentions non lues'),
    toFirst: 'Aller au premier message non lu',
    muted: 'en sourdine',
  },
  date: {
    jump: 'Aller à une date',
  },
  completion: {
    everyone: 'Notifier tous les membres',
    here: 'Notifier tous les membres en ligne',
    mayNot: 'Tu n’as pas la permission de mentionner cela. Ce sera du texte simple',
    role: 'rôle',
  },
} satisfies typeof notificationWords
