// Printed from locales/pl/threads.json. After a change there: bun run words
import type { threadWords } from '../threads.ts'
import { count } from './plural.ts'

export default {
  threads: {
    show: (isLively) => (isLively ? 'Wątki, są nowe wiadomości' : 'Wątki'),
    open: 'Otwórz wątek',
    archived: 'Zarchiwizowane',
    panel: (name) => `Wątek ${name}`,
    messages: (n) =>
      n === 0 ? 'nie ma jeszcze wiadomości' : count(n, '# wiadomość', '# wiadomości', '# wiadomości', '# wiadomości'),
    lockedHint: 'Ten wątek jest zablokowany.',
  },
} satisfies typeof threadWords
