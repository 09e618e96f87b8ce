// Printed from locales/uk/public-pages.json. After a change there: bun run words
import type { publicWords } from '../public-pages.ts'

export default {
  title: 'Публічні сторінки',
  server: 'Канали цього сервера можуть бути публічними',
  serverText: 'Виберіть окремі канали й форуми в їхніх налаштуваннях. Без цього нічого не публічно.',
  indexed: 'Пошуковики можуть їх показувати',
  channel: 'Цей канал читають усі, без облікового запису',
  channelText: 'Повідомлення стримуваних учасників і тих, хто приєднався за останні 24 години, не показуються.',
  serverOff: 'Спочатку дозвольте публічні сторінки в налаштуваннях сервера.',
  older: 'Також написане раніше',
  olderText: ({ people, messages }) => `Людей, які тут писали: ${people}. Їхніх повідомлень: ${messages}.`,
  open: 'Відкрити публічну сторінку',
  here: 'Написане тут можуть читати всі, без облікового запису.',
  name: 'Публічні сторінки показують моє ім’я',
  nameText: 'Інакше вас називають «A member».',
} satisfies typeof publicWords
