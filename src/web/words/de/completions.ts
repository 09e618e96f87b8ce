// Printed from locales/de/completions.json. After a change there: bun run words
import type { completionWords } from '../completions.ts'

export default {
  everyone: 'Alle Mitglieder benachrichtigen',
  here: 'Alle Mitglieder benachrichtigen, die online sind',
  mayNot: 'Du darfst das nicht erwähnen. Es bleibt einfacher Text',
  role: 'Rolle',
  people: 'Personen zum Erwähnen',
  emoji: 'Emoji-Vorschläge',
} satisfies typeof completionWords
