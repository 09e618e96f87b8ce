// Printed from locales/fr/completions.json. After a change there: bun run words
import type { completionWords } from '../completions.ts'

export default {
  everyone: 'Notifier tous les membres',
  here: 'Notifier tous les membres en ligne',
  mayNot: 'Tu n’as pas la permission de mentionner cela. Ce sera du texte simple',
  role: 'rôle',
  people: 'Personnes à mentionner',
  emoji: 'Suggestions d’émojis',
} satisfies typeof completionWords
