import type { serverWords } from '../servers.ts'

export default {
  servers: {
    list: 'Серверы',
    add: 'Добавить сервер',
    name: 'Название сервера',
    settings: 'Настройки сервера',
    leave: 'Покинуть сервер',
    viewedAs: (role) =>
      role === undefined ? 'Вы видите сервер как участник без ролей.' : `Вы видите сервер как ${role}.`,
    stopViewing: 'Прекратить',
    gone: (name) => `Сервер ${name} удалён.`,
    leaveText: (name) => `Чтобы вернуться в ${name}, понадобится новое приглашение.`,
  },
  channels: {
    list: 'Каналы',
    private: ', приватный',
    text: 'Текстовые',
    voice: 'Голосовые',
    none: 'Здесь пока нечего смотреть',
    noneText: 'Ваши роли не дают видеть ни одного канала. Это может изменить тот, кто ведёт сервер.',
    noneToMake: 'Разговоры идут в каналах. Создайте первый.',
    addTopic: 'Добавить тему',
    outside: 'Вне категорий',
    moved: (name, category, place) =>
      category === undefined ? `${name} теперь на месте ${place}.` : `${name} теперь на месте ${place} в ${category}.`,
    moveHint: 'Alt и стрелки перемещают его.',
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
