// Printed from locales/ru/menus.json. After a change there: bun run words
import type { menuWords } from '../menus.ts'

export default {
  of: (name) => `Меню: ${name}`,
  write: 'Написать сообщение',
  accept: 'Принять запрос в друзья',
  read: 'Отметить прочитанным',
  notifications: 'Уведомления…',
  copyLink: 'Скопировать ссылку',
  settings: 'Настройки…',
  events: 'События',
  hide: 'Скрыть разговор',
  deleteChannel: 'Удалить канал',
  deleteCategory: 'Удалить категорию',
  moveTo: 'Переместить в…',
  serverSettings: 'Настройки сервера',
  leaveServer: 'Покинуть сервер',
  leaveServerText: (name) => `Чтобы вернуться на сервер ${name}, понадобится новое приглашение.`,
} satisfies typeof menuWords
