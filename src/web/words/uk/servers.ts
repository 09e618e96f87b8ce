// Printed from locales/uk/servers.json. After a change there: bun run words
import type { serverWords } from '../servers.ts'
import { digits } from '../plural.ts'

export default {
  servers: {
    list: 'Сервери',
    add: 'Додати сервер',
    name: 'Назва сервера',
    viewedAs: (role) =>
      role === undefined ? 'Ви переглядаєте сервер як учасник без ролей.' : `Ви переглядаєте сервер із роллю ${role}.`,
    stopViewing: 'Припинити',
    gone: (name) => `Сервер ${name} видалено.`,
  },
  channels: {
    browse: 'Огляд каналів',
    list: 'Канали',
    private: ', приватний',
    text: 'Текстові',
    voice: 'Голосові',
    none: 'Тут поки нічого немає',
    noneText: 'Ваші ролі не дозволяють бачити канали. Це може змінити модератор сервера.',
    noneToMake: 'Розмови відбуваються в каналах. Створіть перший.',
    addTopic: 'Додати тему',
    outside: 'Без категорії',
    moved: ({ name, place, category }) =>
      category === undefined ? `${name} тепер на місці ${place}.` : `${name} тепер на місці ${place} у ${category}.`,
    moveHint: 'Щоб перемістити його, натисніть Alt і стрілку.',
    addTo: (name) => `Новий канал у ${name}`,
    make: {
      text: 'Новий текстовий канал',
      voice: 'Новий голосовий канал',
      category: 'Нова категорія',
    },
    settings: (name) => `Налаштування ${name}`,
    taken: ({ n, limit }) => `${digits(n)} з ${digits(limit)} людей`,
  },
  invite: {
    people: 'Запросити людей',
  },
} satisfies typeof serverWords
