// Printed from locales/ru/servers.json. After a change there: bun run words
import type { serverWords } from '../servers.ts'

export default {
  servers: {
    list: 'Серверы',
    add: 'Добавить сервер',
    name: 'Название сервера',
    settings: 'Настройки сервера',
    leave: 'Покинуть сервер',
    viewedAs: (role) =>
      role === undefined
        ? 'Вы просматриваете сервер как участник без ролей.'
        : `Вы просматриваете сервер с ролью ${role}.`,
    stopViewing: 'Прекратить',
    gone: (name) => `Сервер ${name} удалён.`,
    leaveText: (name) => `Чтобы вернуться на сервер ${name}, понадобится новое приглашение.`,
  },
  channels: {
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
  },
  invite: {
    people: 'Пригласить людей',
    join: 'Присоединиться к серверу',
    notNow: 'Не сейчас',
    back: 'Назад к разговорам',
  },
} satisfies typeof serverWords
