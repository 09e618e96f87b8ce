// Printed from locales/pl/notifications.json. After a change there: bun run words
import type { notificationWords } from '../notifications.ts'
import { count } from './plural.ts'

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
    mark: 'Oznacz odtąd jako nieprzeczytane',
    since: (n) =>
      count(
        n,
        '# nieprzeczytana wzmianka',
        '# nieprzeczytane wzmianki',
        '# nieprzeczytanych wzmianek',
        '# nieprzeczytanej wzmianki',
      ),
    toFirst: 'Przejdź do pierwszej nieprzeczytanej wiadomości',
    muted: 'wyciszono',
  },
  date: {
    jump: 'Przejdź do daty',
  },
  completion: {
    everyone: 'Powiadom wszystkich członków',
    here: 'Powiadom wszystkich członków online',
    mayNot: 'Nie masz uprawnień, aby to wspomnieć. Zostanie zwykłym tekstem',
    role: 'rola',
  },
} satisfies typeof notificationWords
