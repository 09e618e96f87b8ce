// Printed from locales/uk/status.json. After a change there: bun run words
import type { statusWords } from '../status.ts'

export default {
  title: 'Ваш статус',
  choice: 'Інші бачать',
  about: {
    online: '«Неактивний» після десяти хвилин без дій',
    idle: 'Завжди «Неактивний»',
    dnd: 'Без сповіщень і звуків на ваших пристроях',
    invisible: '«Не в мережі». Ніхто не дізнається, що ви пишете, і @here вас не сповіщає.',
  },
  text: 'Що ви робите?',
  emoji: 'Вибрати емодзі',
  noEmoji: (emoji) => `Прибрати ${emoji}`,
  ends: 'Закінчиться',
  never: 'ніколи',
  callers: 'Друзі, чиї дзвінки все одно чути, не більше 50',
  seen: {
    title: 'Інші вас побачать',
    text: 'Ви невидимі, але всі, хто бачить цей дзвінок, побачать, що ви в ньому.',
    action: 'Приєднатися до дзвінка',
  },
} satisfies typeof statusWords
