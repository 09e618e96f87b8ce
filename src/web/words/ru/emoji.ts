// Printed from locales/ru/emoji.json. After a change there: bun run words
import type { emojiWords } from '../emoji.ts'
import { listOf } from '../plural.ts'
import { count } from './plural.ts'

export default {
  reactions: {
    bar: 'Реакции',
    add: 'Добавить реакцию',
    react: (emoji) => `Отреагировать ${emoji}`,
    one: ({ emoji, n, isMine }) =>
      `${emoji}: ${count(n, '# реакция', '# реакции', '# реакций', '# реакции')}${isMine ? ', включая вашу' : ''}`,
    by: ({ names, emoji }) => `Реакция ${emoji}: ${listOf(names)}`,
    others: (n) => count(n, 'ещё # человек', 'ещё # человека', 'ещё # человек', 'ещё # человека'),
    tooMany: 'У этого сообщения уже 20 разных реакций.',
    refused: 'Не удалось сохранить реакцию.',
    all: 'Все',
  },
  pins: {
    title: 'Закреплённые сообщения',
    pin: 'Закрепить сообщение',
    unpin: 'Открепить сообщение',
    unpinText: 'Сообщение останется на своём месте.',
    pinned: 'Закреплено',
    show: 'Посмотреть',
    showAll: 'Посмотреть все закреплённые сообщения',
  },
  emoji: {
    insert: 'Вставить эмодзи',
    suggestions: 'Подсказки эмодзи',
    add: 'Добавить эмодзи',
  },
} satisfies typeof emojiWords
