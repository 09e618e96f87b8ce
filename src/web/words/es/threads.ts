// Printed from locales/es/threads.json. After a change there: bun run words
import type { threadWords } from '../threads.ts'
import { count } from './plural.ts'

export default {
  threads: {
    show: (isLively) => (isLively ? 'Hilos, con mensajes nuevos' : 'Hilos'),
    open: 'Abrir el hilo',
    archived: 'Archivados',
    panel: (name) => `Hilo ${name}`,
    messages: (n) => (n === 0 ? 'aún sin mensajes' : count(n, '# mensaje', '# de mensajes', '# mensajes')),
    lockedHint: 'Este hilo está bloqueado.',
  },
} satisfies typeof threadWords
