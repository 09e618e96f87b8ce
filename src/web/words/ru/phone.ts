import type { phoneWords } from '../phone.ts'

export default {
  tabs: 'Разделы',
  home: 'Главная',
  servers: 'Серверы',
  inbox: 'Входящие',
  you: 'Вы',
  noServers: 'Серверов пока нет',
  noServersText: 'Создайте сервер или присоединитесь по ссылке-приглашению.',
} satisfies typeof phoneWords
