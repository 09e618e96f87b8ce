import type { webhookWords } from '../webhooks.ts'

export default {
  tab: 'Integracje',
  title: 'Webhooki',
  hint: 'Webhook to URL, przez który inny program pisze w kanale: Grafana, GitHub, twój skrypt.',
  name: 'Nazwa webhooka',
  channel: 'Kanał',
  make: 'Nowy webhook',
  none: 'Nie ma jeszcze webhooków',
  noneText: 'Utwórz webhook i wklej jego URL w innym programie.',
  madeBy: (name) => `od ${name}`,
  url: 'URL webhooka',
  shownOnce: 'Ten URL pokazujemy raz. Kto go ma, może pisać w kanale: strzeż go jak hasła.',
  suffixes: 'Dla formatu Slack dodaj do niego /slack, dla formatu GitHub /github.',
  edit: (name) => `Zmień ${name}`,
  close: 'Zamknij',
  rotate: 'Odnów URL',
  rotateText: 'Poprzedni URL natychmiast traci ważność. Programy, które go używają, potrzebują nowego.',
  delete: (name) => `Usuń ${name}`,
  deleteText: 'Programy używające jego URL nie mogą już pisać. To, co napisał, zostaje.',
  mentions: 'Może wspominać wszystkich i każdą rolę',
  problems: {
    too_many_webhooks: 'Ten kanał ma już 15 webhooków.',
  },
} satisfies typeof webhookWords
