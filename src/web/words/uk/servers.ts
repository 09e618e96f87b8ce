import type { serverWords } from '../servers.ts'

export default {
  servers: {
    list: 'Сервери',
    add: 'Додати сервер',
    name: 'Назва сервера',
    settings: 'Налаштування сервера',
    leave: 'Залишити сервер',
    viewedAs: (role) =>
      role === undefined ? 'Ви бачите сервер як учасник без ролей.' : `Ви бачите сервер як ${role}.`,
    stopViewing: 'Припинити',
    gone: (name) => `Сервер ${name} видалено.`,
    leaveText: (name) => `Щоб повернутися в ${name}, знадобиться нове запрошення.`,
  },
  channels: {
    list: 'Канали',
    private: ', приватний',
    text: 'Текстові',
    voice: 'Голосові',
    none: 'Тут поки нічого дивитися',
    noneText: 'Ваші ролі не дають бачити жодного каналу. Це може змінити той, хто веде сервер.',
    noneToMake: 'Розмови відбуваються в каналах. Створіть перший.',
    addTopic: 'Додати тему',
    outside: 'Поза категоріями',
    moved: (name, category, place) =>
      category === undefined ? `${name} тепер на місці ${place}.` : `${name} тепер на місці ${place} у ${category}.`,
    moveHint: 'Alt і стрілки переміщують його.',
    addTo: (name) => `Новий канал у ${name}`,
    make: {
      text: 'Новий текстовий канал',
      voice: 'Новий голосовий канал',
      category: 'Нова категорія',
    },
    settings: (name) => `Налаштування ${name}`,
  },
  invite: {
    people: 'Запросити людей',
    join: 'Приєднатися до сервера',
    notNow: 'Не зараз',
    back: 'Назад до розмов',
  },
} satisfies typeof serverWords
