// Printed from locales/de/threads.json. After a change there: bun run words
import type { threadWords } from '../threads.ts'
import { count } from './plural.ts'

export default {
  threads: {
    title: 'Threads',
    show: (isLively) => (isLively ? 'Threads, mit neuen Nachrichten' : 'Threads'),
    begin: 'Thread starten',
    open: 'Thread öffnen',
    archived: 'Archiviert',
    close: 'Thread schließen',
    panel: (name) => `Thread ${name}`,
    messages: (n) => (n === 0 ? 'noch keine Nachrichten' : count(n, '# Nachricht', '# Nachrichten')),
    follow: 'Folgen',
    unfollow: 'Gefolgt',
    followHint: 'Seine Nachrichten zählen als ungelesen',
    actions: 'Thread-Aktionen',
    rename: 'Umbenennen',
    settings: 'Thread-Einstellungen',
    link: 'Link zum Thread kopieren',
    archive: 'Archivieren',
    bringBack: 'Aus dem Archiv holen',
    lock: 'Sperren',
    unlock: 'Entsperren',
    locked: 'gesperrt',
    lockedHint: 'Dieser Thread ist gesperrt.',
    archivedHint: 'Dieser Thread ist archiviert. Eine neue Nachricht holt ihn zurück.',
    delete: 'Thread löschen',
    deleteText: 'Das löscht den Thread mit seinen Nachrichten und Dateien für alle.',
    answer: 'Als Antwort markieren',
    noAnswer: 'Nicht mehr als Antwort markieren',
  },
} satisfies typeof threadWords
