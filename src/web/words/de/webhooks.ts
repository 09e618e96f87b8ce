import type { webhookWords } from '../webhooks.ts'

export default {
  tab: 'Integrationen',
  title: 'Webhooks',
  hint:
    'Ein Webhook ist eine URL, über die ein anderes Programm in einen Kanal schreibt: Grafana, GitHub, ' +
    'ein Skript von dir.',
  name: 'Name des Webhooks',
  channel: 'Kanal',
  make: 'Neuer Webhook',
  none: 'Noch keine Webhooks',
  noneText: 'Erstelle einen und füge seine URL in das andere Programm ein.',
  madeBy: (name) => `von ${name}`,
  url: 'URL des Webhooks',
  shownOnce: 'Diese URL wird einmal gezeigt. Wer sie hat, kann in den Kanal schreiben: Hüte sie wie ein Passwort.',
  suffixes: 'Für das Format von Slack hänge /slack an, für das von GitHub /github.',
  edit: (name) => `${name} ändern`,
  close: 'Schließen',
  rotate: 'URL erneuern',
  rotateText: 'Die bisherige URL gilt sofort nicht mehr. Programme, die sie verwenden, brauchen die neue.',
  delete: (name) => `${name} löschen`,
  deleteText: 'Programme, die seine URL verwenden, können nicht mehr schreiben. Was er geschrieben hat, bleibt.',
  mentions: 'Darf alle und jede Rolle erwähnen',
  problems: {
    too_many_webhooks: 'Dieser Kanal hat schon 15 Webhooks.',
  },
} satisfies typeof webhookWords
