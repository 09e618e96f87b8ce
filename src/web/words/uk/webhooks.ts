// Printed from locales/uk/webhooks.json. After a change there: bun run words
import type { webhookWords } from '../webhooks.ts'

export default {
  tab: 'Інтеграції',
  title: 'Вебхуки',
  hint: 'Вебхук — це URL, через який інша програма може писати в канал: Grafana, GitHub або ваш скрипт.',
  name: 'Назва вебхука',
  channel: 'Канал',
  make: 'Новий вебхук',
  none: 'Вебхуків поки немає',
  noneText: 'Створіть вебхук і вставте його URL в іншу програму.',
  madeBy: (name) => `від ${name}`,
  url: 'URL вебхука',
  shownOnce: 'Цей URL показано лише один раз. Кожен, хто його має, може писати в канал: зберігайте його як пароль.',
  suffixes: 'Для формату Slack додайте до нього /slack, для формату GitHub — /github.',
  edit: (name) => `Змінити ${name}`,
  close: 'Закрити',
  rotate: 'Скинути URL',
  rotateText: 'Попередній URL одразу перестане діяти. Програмам, які ним користуються, потрібен новий.',
  delete: (name) => `Видалити ${name}`,
  deleteText: 'Програми з його URL більше не зможуть писати. Його повідомлення залишаться.',
  mentions: 'Може згадувати всіх і будь-яку роль',
  problems: {
    too_many_webhooks: 'Цей канал уже має 15 вебхуків.',
  },
} satisfies typeof webhookWords
