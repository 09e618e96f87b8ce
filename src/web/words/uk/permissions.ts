// Printed from locales/uk/permissions.json. After a change there: bun run words
import type { permissionWords } from '../permissions.ts'

export default {
  topics: {
    general: 'Загальне',
    messages: 'Повідомлення',
    threads: 'Гілки',
    voice: 'Голос',
    people: 'Люди',
    server: 'Керування сервером',
    administrator: 'Усе',
  },
  allowed: ({ n, all }) => `Дозволено ${n} із ${all}`,
  set: (n) => (n === 0 ? 'Успадковано' : `Задано тут: ${n}`),
  inServer: (isAllowed) => (isAllowed ? 'Успадковано від сервера: дозволено' : 'Успадковано від сервера: не дозволено'),
  private: 'Приватний канал',
  privateOn: 'Його бачать лише власник, адміністратори та ролі нижче.',
  privateOff: 'Його бачать усі учасники.',
  privateHint: 'Його бачать лише власник та адміністратори, доки ви не виберете ролі в його налаштуваннях.',
  whoSees: 'Хто його бачить',
  noRoles: 'Немає ролей нижче вашої, які можна вибрати.',
  choices: {
    deny: 'Заборонити',
    inherit: 'Успадкувати',
    allow: 'Дозволити',
  },
  moderatorsOnly: 'Пишуть лише модератори',
  moderatorsOnlyText: 'Читати можуть усі; писати можуть ролі, які керують повідомленнями.',
} satisfies typeof permissionWords
