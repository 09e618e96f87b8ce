// Printed from locales/ru/permissions.json. After a change there: bun run words
import type { permissionWords } from '../permissions.ts'

export default {
  topics: {
    general: 'Общее',
    messages: 'Сообщения',
    threads: 'Ветки',
    voice: 'Голос',
    people: 'Люди',
    server: 'Управление сервером',
    administrator: 'Всё',
  },
  allowed: ({ n, all }) => `Разрешено ${n} из ${all}`,
  set: (n) => (n === 0 ? 'Унаследовано' : `Задано здесь: ${n}`),
  inServer: (isAllowed) => (isAllowed ? 'Унаследовано от сервера: разрешено' : 'Унаследовано от сервера: не разрешено'),
  private: 'Приватный канал',
  privateOn: 'Его видят только владелец, администраторы и роли ниже.',
  privateOff: 'Его видят все участники.',
  privateHint: 'Его видят только владелец и администраторы, пока вы не выберете роли в его настройках.',
  whoSees: 'Кто его видит',
  noRoles: 'Нет ролей ниже вашей, которые можно выбрать.',
  choices: {
    deny: 'Запретить',
    inherit: 'Наследовать',
    allow: 'Разрешить',
  },
  moderatorsOnly: 'Пишут только модераторы',
  moderatorsOnlyText: 'Читать могут все; писать могут роли, которые управляют сообщениями.',
} satisfies typeof permissionWords
