// Printed from locales/fr/threads.json. After a change there: bun run words
import type { threadWords } from '../threads.ts'
import { count } from './plural.ts'

export default {
  threads: {
    show: (isLively) => (isLively ? 'Fils, avec de nouveaux messages' : 'Fils'),
    open: 'Ouvrir le fil',
    archived: 'Archivés',
    panel: (name) => `Fil ${name}`,
    messages: (n) => (n === 0 ? 'pas encore de messages' : count(n, '# message', '# de messages', '# messages')),
    lockedHint: 'Ce fil est verrouillé.',
  },
} satisfies typeof threadWords
