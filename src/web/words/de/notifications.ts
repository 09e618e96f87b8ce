// Printed from locales/de/notifications.json. After a change there: bun run words
import type { notificationWords } from '../notifications.ts'
import { count } from './plural.ts'

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
    mark: 'Ab hier als ungelesen markieren',
    since: (n) => count(n, '# ungelesene Erwähnung', '# ungelesene Erwähnungen'),
    toFirst: 'Zur ersten ungelesenen Nachricht springen',
    muted: 'stumm',
  },
  date: {
    jump: 'Zu einem Datum springen',
  },
  completion: {
    everyone: 'Alle Mitglieder benachrichtigen',
    here: 'Alle Mitglieder benachrichtigen, die online sind',
    mayNot: 'Du darfst das nicht erwähnen. Es bleibt einfacher Text',
    role: 'Rolle',
  },
} satisfies typeof notificationWords
