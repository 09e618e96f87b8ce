import type { permissionWords } from '../permissions.ts'

export default {
  topics: {
    general: 'Общее',
    messages: 'Сообщения',
    threads: 'Ветки',
    voice: 'Голос',
    people: 'Люди',
    server: 'Ведение сервера',
    administrator: 'Всё',
  },
  allowed: (n, all) => `Разрешено ${n} из ${all}`,
  set: (n) => (n === 0 ? 'Как на уровне выше' : `Задано здесь: ${n}`),
  inServer: (isAllowed) => (isAllowed ? 'Как на сервере: разрешено' : 'Как на сервере: запрещено'),
  private: 'Приватный канал',
  privateOn: 'Его видят только владелец, администраторы и роли ниже.',
  privateOff: 'Его видят все участники.',
  privateHint: 'Его видят только владелец и администраторы, пока вы не выберете роли в его настройках.',
  whoSees: 'Кто его видит',
  noRoles: 'Нет роли ниже вашей, которую можно выбрать.',
  choices: {
    deny: 'Запретить',
    inherit: 'Как на уровне выше',
    allow: 'Разрешить',
  },
} satisfies typeof permissionWords
