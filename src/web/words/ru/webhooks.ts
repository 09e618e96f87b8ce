// Printed from locales/ru/webhooks.json. After a change there: bun run words
import type { webhookWords } from '../webhooks.ts'

export default {
  tab: 'Интеграции',
  title: 'Вебхуки',
  hint: 'Вебхук — это URL, через который другая программа может писать в канал: Grafana, GitHub или ваш скрипт.',
  name: 'Название вебхука',
  channel: 'Канал',
  make: 'Новый вебхук',
  none: 'Вебхуков пока нет',
  noneText: 'Создайте вебхук и вставьте его URL в другую программу.',
  madeBy: (name) => `от ${name}`,
  url: 'URL вебхука',
  shownOnce:
    'Этот URL показывается только один раз. Любой, у кого он есть, может писать в канал: храните его как пароль.',
  suffixes: 'Для формата Slack добавьте к нему /slack, для формата GitHub — /github.',
  edit: (name) => `Изменить ${name}`,
  close: 'Закрыть',
  rotate: 'Сбросить URL',
  rotateText: 'Прежний URL сразу перестанет действовать. Программам, которые им пользуются, нужен новый.',
  delete: (name) => `Удалить ${name}`,
  deleteText: 'Программы с его URL больше не смогут писать. Его сообщения останутся.',
  mentions: 'Может упоминать всех и любую роль',
  problems: {
    too_many_webhooks: 'У этого канала уже 15 вебхуков.',
  },
} satisfies typeof webhookWords
