// Printed from locales/de/threads.json. After a change there: bun run words
import type { threadWords } from '../threads.ts'
import { count } from './plural.ts'

export default {
  threads: {
    show: (isLively) => (isLively ? 'Threads, mit neuen Nachrichten' : 'Threads'),
    open: 'Thread öffnen',
    archived: 'Archiviert',
    panel: (name) => `Thread ${name}`,
    messages: (n) => (n === 0 ? 'noch keine Nachrichten' : count(n, '# Nachricht', '# Nachrichten')),
    lockedHint: 'Dieser Thread ist gesperrt.',
  },
} satisfies typeof threadWords
