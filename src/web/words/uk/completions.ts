// Printed from locales/uk/completions.json. After a change there: bun run words
import type { completionWords } from '../completions.ts'

export default {
  everyone: 'Сповістити всіх учасників',
  here: 'Сповістити всіх учасників у мережі',
  mayNot: 'Ви не маєте права це згадувати. Залишиться звичайним текстом',
  role: 'роль',
  people: 'Кого згадати',
  emoji: 'Підказки емодзі',
} satisfies typeof completionWords
