// Printed from locales/ru/phone.json. After a change there: bun run words
import type { phoneWords } from '../phone.ts'

export default {
  tabs: 'Разделы',
  home: 'Главная',
  servers: 'Серверы',
  inbox: 'Входящие',
  you: 'Вы',
  noServers: 'Серверов пока нет',
  noServersText: 'Создайте сервер или присоединитесь по ссылке-приглашению.',
  toCall: (name) => `Вернуться к звонку в ${name}`,
  shrinkCall: 'Свернуть звонок',
} satisfies typeof phoneWords
