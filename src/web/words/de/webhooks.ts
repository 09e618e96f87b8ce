// Printed from locales/de/webhooks.json. After a change there: bun run words
import type { webhookWords } from '../webhooks.ts'

export default {
  tab: 'Integrationen',
  title: 'Webhooks',
  hint: 'Ein Webhook ist eine URL, über die ein anderes Programm in einen Kanal schreibt: Grafana, GitHub oder dein eigenes Skript.',
  name: 'Webhook-Name',
  channel: 'Kanal',
  make: 'Neuer Webhook',
  none: 'Noch keine Webhooks',
  noneText: 'Erstelle einen und füge seine URL in das andere Programm ein.',
  madeBy: (name) => `von ${name}`,
  url: 'Webhook-URL',
  shownOnce:
    'Diese URL wird nur einmal angezeigt. Wer sie hat, kann in den Kanal schreiben: Hüte sie wie ein Passwort.',
  suffixes: 'Für das Format von Slack hänge /slack an, für das von GitHub /github.',
  edit: (name) => `${name} bearbeiten`,
  close: 'Schließen',
  rotate: 'URL zurücksetzen',
  rotateText: 'Die alte URL wird sofort ungültig. Programme, die sie verwenden, brauchen die neue.',
  delete: (name) => `${name} löschen`,
  deleteText: 'Programme, die seine URL verwenden, können nicht mehr schreiben. Seine Nachrichten bleiben.',
  mentions: 'Kann alle und jede Rolle erwähnen',
  problems: {
    too_many_webhooks: 'Dieser Kanal hat schon 15 Webhooks.',
  },
} satisfies typeof webhookWords
