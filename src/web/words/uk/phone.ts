import type { phoneWords } from '../phone.ts'

export default {
  tabs: 'Розділи',
  home: 'Головна',
  servers: 'Сервери',
  inbox: 'Вхідні',
  you: 'Ви',
  noServers: 'Серверів поки немає',
  noServersText: 'Створіть сервер або приєднайтеся за посиланням-запрошенням.',
} satisfies typeof phoneWords
