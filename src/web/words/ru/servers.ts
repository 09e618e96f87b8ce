// Printed from locales/ru/servers.json. After a change there: bun run words
import type { serverWords } from '../servers.ts'
import { digits } from '../plural.ts'

export default {
  servers: {
    list: 'Серверы',
    add: 'Добавить сервер',
    name: 'Название сервера',
    viewedAs: (role) =>
      role === undefined
        ? 'Вы просматриваете сервер как участник без ролей.'
        : `Вы просматриваете сервер с ролью ${role}.`,
    stopViewing: 'Прекратить',
    gone: (name) => `Сервер ${name} удалён.`,
  },
  channels: {
    browse: 'Обзор каналов',
    list: 'Каналы',
    private: ', приватный',
    text: 'Текстовые',
    voice: 'Голосовые',
    none: 'Здесь пока ничего нет',
    noneText: 'Ваши роли не позволяют видеть каналы. Это может изменить модератор сервера.',
    noneToMake: 'Разговоры идут в каналах. Создайте первый.',
    addTopic: 'Добавить тему',
    outside: 'Без категории',
    moved: ({ name, place, category }) =>
      category === undefined ? `${name} теперь на месте ${place}.` : `${name} теперь на месте ${place} в ${category}.`,
    moveHint: 'Чтобы переместить его, нажмите Alt и стрелку.',
    addTo: (name) => `Новый канал в ${name}`,
    make: {
      text: 'Новый текстовый канал',
      voice: 'Новый голосовой канал',
      category: 'Новая категория',
    },
    settings: (name) => `Настройки ${name}`,
    taken: ({ n, limit }) => `${digits(n)} из ${digits(limit)} человек`,
  },
  invite: {
    people: 'Пригласить людей',
  },
} satisfies typeof serverWords
