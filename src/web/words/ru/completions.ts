// Printed from locales/ru/completions.json. After a change there: bun run words
import type { completionWords } from '../completions.ts'

export default {
  everyone: 'Уведомить всех участников',
  here: 'Уведомить всех участников в сети',
  mayNot: 'У вас нет права это упоминать. Останется обычным текстом',
  role: 'роль',
  people: 'Кого упомянуть',
  emoji: 'Подсказки эмодзи',
} satisfies typeof completionWords
