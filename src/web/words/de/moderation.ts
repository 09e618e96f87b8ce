import type { moderationWords } from '../moderation.ts'

export default {
  reportMessage: 'Nachricht melden',
  reportProfile: 'Profil melden',
  reason: 'Grund',
  note: 'Was sollten sie wissen? (optional)',
  readers: 'Wer soll sie lesen?',
  toModerators: (server) => `Die Moderatoren von ${server}`,
  toOperator: 'Nur der Betreiber dieser Installation',
  readByModerators: (server) =>
    `Das lesen die Moderatoren von ${server}, die über diesem Mitglied stehen und diesen Kanal ` +
    'lesen können. Sie sehen, wer gemeldet hat.',
  readByOperator: 'Das liest nur der Betreiber dieser Installation, nicht die Moderatoren. Er sieht, wer gemeldet hat.',
  kept: 'Sie bekommen den Text, die fünf Nachrichten davor und die Dateien, so wie sie jetzt sind.',
  keptProfile: 'Sie bekommen die Namen und das Bild, so wie sie jetzt sind.',
  send: 'Meldung senden',
  sent: 'Deine Meldung wurde gesendet. Danke.',
  reasons: {
    spam: 'Spam oder Werbung',
    harassment: 'Belästigung oder Mobbing',
    hate: 'Hass gegen eine Gruppe',
    violence: 'Gewalt oder Drohungen',
    sexual: 'Unerwünschte sexuelle Inhalte',
    minor_safety: 'Gefahr für Minderjährige',
    self_harm: 'Selbstverletzung oder Suizid',
    illegal: 'Etwas Illegales',
    impersonation: 'Gibt sich als jemand anderes aus',
    other: 'Etwas anderes',
  },
} satisfies typeof moderationWords
