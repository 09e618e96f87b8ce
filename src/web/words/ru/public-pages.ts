// Printed from locales/ru/public-pages.json. After a change there: bun run words
import type { publicWords } from '../public-pages.ts'

export default {
  title: 'Публичные страницы',
  server: 'Каналы этого сервера могут быть публичными',
  serverText: 'Выберите отдельные каналы и форумы в их настройках. Без этого ничего не публично.',
  indexed: 'Поисковики могут их показывать',
  channel: 'Этот канал читают все, без учётной записи',
  channelText: 'Сообщения удерживаемых участников и тех, кто вступил за последние 24 часа, не показываются.',
  serverOff: 'Сначала разрешите публичные страницы в настройках сервера.',
  older: 'Также написанное раньше',
  olderText: ({ people, messages }) => `Людей, писавших здесь: ${people}. Их сообщений: ${messages}.`,
  open: 'Открыть публичную страницу',
  here: 'Написанное здесь могут читать все, без учётной записи.',
  name: 'Публичные страницы показывают моё имя',
  nameText: 'Иначе вас называют «A member».',
} satisfies typeof publicWords
