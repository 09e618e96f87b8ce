// Printed from locales/uk/emoji.json. After a change there: bun run words
import type { emojiWords } from '../emoji.ts'
import { listOf } from '../plural.ts'
import { count } from './plural.ts'

export default {
  reactions: {
    bar: 'Реакції',
    add: 'Додати реакцію',
    react: (emoji) => `Відреагувати ${emoji}`,
    one: ({ emoji, n, isMine }) =>
      `${emoji}: ${count(n, '# реакція', '# реакції', '# реакцій', '# реакції')}${isMine ? ', зокрема ваша' : ''}`,
    by: ({ names, emoji }) => `Реакція ${emoji}: ${listOf(names)}`,
    others: (n) => count(n, 'ще # людина', 'ще # людини', 'ще # людей', 'ще # людини'),
    tooMany: 'Це повідомлення вже має 20 різних реакцій.',
    refused: 'Не вдалося зберегти реакцію.',
    all: 'Усі',
  },
  pins: {
    title: 'Закріплені повідомлення',
    pin: 'Закріпити повідомлення',
    unpin: 'Відкріпити повідомлення',
    unpinText: 'Повідомлення залишиться на своєму місці.',
    pinned: 'Закріплено',
    show: 'Переглянути',
    showAll: 'Переглянути всі закріплені повідомлення',
  },
  emoji: {
    insert: 'Вставити емодзі',
    suggestions: 'Підказки емодзі',
    add: 'Додати емодзі',
  },
} satisfies typeof emojiWords
