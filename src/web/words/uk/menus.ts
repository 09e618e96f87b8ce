// Printed from locales/uk/menus.json. After a change there: bun run words
import type { menuWords } from '../menus.ts'

export default {
  of: (name) => `Меню: ${name}`,
  write: 'Написати повідомлення',
  accept: 'Прийняти запит у друзі',
  read: 'Позначити прочитаним',
  notifications: 'Сповіщення…',
  copyLink: 'Скопіювати посилання',
  settings: 'Налаштування…',
  events: 'Події',
  hide: 'Сховати розмову',
  deleteChannel: 'Видалити канал',
  deleteCategory: 'Видалити категорію',
  moveTo: 'Перемістити до…',
  serverSettings: 'Налаштування сервера',
  leaveServer: 'Залишити сервер',
  leaveServerText: (name) => `Щоб повернутися на сервер ${name}, знадобиться нове запрошення.`,
} satisfies typeof menuWords
