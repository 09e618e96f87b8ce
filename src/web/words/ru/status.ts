// Printed from locales/ru/status.json. After a change there: bun run words
import type { statusWords } from '../status.ts'

export default {
  title: 'Ваш статус',
  choice: 'Другие видят',
  about: {
    online: '«Неактивен» после десяти минут без действий',
    idle: 'Всегда «Неактивен»',
    dnd: 'Без уведомлений и звуков на ваших устройствах',
    invisible: '«Не в сети». Никто не узнает, что вы печатаете, и @here вас не уведомляет.',
  },
  text: 'Чем вы заняты?',
  emoji: 'Выбрать эмодзи',
  noEmoji: (emoji) => `Убрать ${emoji}`,
  ends: 'Закончится',
  never: 'никогда',
  callers: 'Друзья, чьи звонки всё равно слышны, не больше 50',
  seen: {
    title: 'Другие вас увидят',
    text: 'Вы невидимы, но все, кто видит этот звонок, увидят, что вы в нём участвуете.',
    action: 'Присоединиться к звонку',
  },
} satisfies typeof statusWords
