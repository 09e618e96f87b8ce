// Printed from locales/pl/threads.json. After a change there: bun run words
import type { threadWords } from '../threads.ts'
import { count } from './plural.ts'

export default {
  threads: {
    title: 'Wątki',
    show: (isLively) => (isLively ? 'Wątki, są nowe wiadomości' : 'Wątki'),
    begin: 'Rozpocznij wątek',
    open: 'Otwórz wątek',
    archived: 'Zarchiwizowane',
    close: 'Zamknij wątek',
    panel: (name) => `Wątek ${name}`,
    messages: (n) =>
      n === 0 ? 'nie ma jeszcze wiadomości' : count(n, '# wiadomość', '# wiadomości', '# wiadomości', '# wiadomości'),
    follow: 'Obserwuj',
    unfollow: 'Obserwujesz',
    followHint: 'Jego wiadomości liczą się jako nieprzeczytane',
    actions: 'Działania na wątku',
    rename: 'Zmień nazwę',
    settings: 'Ustawienia wątku',
    link: 'Kopiuj link do wątku',
    archive: 'Archiwizuj',
    bringBack: 'Przywróć z archiwum',
    lock: 'Zablokuj',
    unlock: 'Odblokuj',
    locked: 'zablokowany',
    lockedHint: 'Ten wątek jest zablokowany.',
    archivedHint: 'Ten wątek jest zarchiwizowany. Nowa wiadomość go przywróci.',
    delete: 'Usuń wątek',
    deleteText: 'To usuwa wątek z wiadomościami i plikami dla wszystkich.',
    answer: 'Oznacz jako odpowiedź',
    noAnswer: 'Już nie odpowiedź',
  },
} satisfies typeof threadWords
