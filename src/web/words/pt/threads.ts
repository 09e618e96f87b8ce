// Printed from locales/pt/threads.json. After a change there: bun run words
import type { threadWords } from '../threads.ts'
import { count } from './plural.ts'

export default {
  threads: {
    show: (isLively) => (isLively ? 'Tópicos, com novas mensagens' : 'Tópicos'),
    open: 'Abrir o tópico',
    archived: 'Arquivados',
    panel: (name) => `Tópico ${name}`,
    messages: (n) => (n === 0 ? 'ainda sem mensagens' : count(n, '# mensagem', '# de mensagens', '# mensagens')),
    lockedHint: 'Este tópico está trancado.',
  },
} satisfies typeof threadWords
