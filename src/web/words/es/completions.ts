// Printed from locales/es/completions.json. After a change there: bun run words
import type { completionWords } from '../completions.ts'

export default {
  everyone: 'Notificar a todos los miembros',
  here: 'Notificar a todos los miembros en línea',
  mayNot: 'No tienes permiso para mencionar esto. Se queda como texto normal',
  role: 'rol',
  people: 'Personas para mencionar',
  emoji: 'Sugerencias de emojis',
} satisfies typeof completionWords
