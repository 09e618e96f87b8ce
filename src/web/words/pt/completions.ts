// Printed from locales/pt/completions.json. After a change there: bun run words
import type { completionWords } from '../completions.ts'

export default {
  everyone: 'Notificar todos os membros',
  here: 'Notificar todos os membros online',
  mayNot: 'Você não tem permissão para mencionar isto. Fica como texto comum',
  role: 'cargo',
  people: 'Pessoas para mencionar',
  emoji: 'Sugestões de emojis',
} satisfies typeof completionWords
