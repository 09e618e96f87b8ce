import type { permissionWords } from '../permissions.ts'

export default {
  topics: {
    general: 'Загальне',
    messages: 'Повідомлення',
    threads: 'Гілки',
    voice: 'Голос',
    people: 'Люди',
    server: 'Ведення сервера',
    administrator: 'Усе',
  },
  allowed: (n, all) => `Дозволено ${n} із ${all}`,
  set: (n) => (n === 0 ? 'Як на рівні вище' : `Задано тут: ${n}`),
  inServer: (isAllowed) => (isAllowed ? 'Як на сервері: дозволено' : 'Як на сервері: заборонено'),
  private: 'Приватний канал',
  privateOn: 'Його бачать лише власник, адміністратори та ролі нижче.',
  privateOff: 'Його бачать усі учасники.',
  privateHint: 'Його бачать лише власник та адміністратори, доки ви не виберете ролі в його налаштуваннях.',
  whoSees: 'Хто його бачить',
  noRoles: 'Немає ролі нижче вашої, яку можна вибрати.',
  choices: {
    deny: 'Заборонити',
    inherit: 'Як на рівні вище',
    allow: 'Дозволити',
  },
} satisfies typeof permissionWords
