// Printed from locales/pl/webhooks.json. After a change there: bun run words
import type { webhookWords } from '../webhooks.ts'

export default {
  tab: 'Integracje',
  title: 'Webhooki',
  hint: 'Webhook to URL, przez który inny program publikuje w kanale: Grafana, GitHub lub twój własny skrypt.',
  name: 'Nazwa webhooka',
  channel: 'Kanał',
  make: 'Nowy webhook',
  none: 'Nie ma jeszcze webhooków',
  noneText: 'Utwórz webhook i wklej jego URL w innym programie.',
  madeBy: (name) => `od ${name}`,
  url: 'URL webhooka',
  shownOnce: 'Ten URL pokazujemy tylko raz. Każdy, kto go ma, może publikować w kanale: strzeż go jak hasła.',
  suffixes: 'Dla formatu Slacka dodaj do niego /slack, dla formatu GitHuba /github.',
  edit: (name) => `Edytuj ${name}`,
  close: 'Zamknij',
  rotate: 'Zresetuj URL',
  rotateText: 'Stary URL natychmiast przestaje działać. Programy, które go używają, potrzebują nowego.',
  delete: (name) => `Usuń ${name}`,
  deleteText: 'Programy używające jego URL nie będą mogły już publikować. Jego wiadomości zostają.',
  mentions: 'Może wspominać wszystkich i każdą rolę',
  problems: {
    too_many_webhooks: 'Ten kanał ma już 15 webhooków.',
  },
} satisfies typeof webhookWords
