// Printed from locales/de/device.json. After a change there: bun run words
import type { deviceWords } from '../device.ts'
import { count } from './plural.ts'

export default {
  share: {
    title: 'Teilen',
    text: 'Nachricht',
    send: 'Teilen',
    leftOut: (n) =>
      count(n, '# Datei wurde weggelassen: zu viele auf einmal.', '# Dateien wurden weggelassen: zu viele auf einmal.'),
  },
  notices: {
    tab: 'Benachrichtigungen',
    here: 'Auf diesem Gerät',
    push: 'Benachrichtigungen, während Parley geschlossen ist',
    pushText:
      'Sie kommen über den Push-Dienst deines Browsers, so verschlüsselt, dass nur dieses Gerät sie lesen kann.',
    none: 'Dieser Browser kann hier keine Push-Benachrichtigungen empfangen. Sie brauchen HTTPS. Füge Parley auf iPhone oder iPad zuerst zum Home-Bildschirm hinzu.',
    denied:
      'Dein Browser blockiert Benachrichtigungen dieser Website. Erlaube sie in den Website-Einstellungen des Browsers.',
    off: 'Dieser Server sendet keine Push-Benachrichtigungen.',
    needHttps: 'Desktop-Benachrichtigungen brauchen HTTPS.',
    desktop: 'Desktop-Benachrichtigungen, während Parley offen ist',
    sound: 'Ton abspielen bei Nachrichten, die gerade nicht zu sehen sind',
    everywhere: 'Auf allen deinen Geräten',
    hide: 'Namen und Text verbergen',
    hideText: 'Benachrichtigungen sagen nur, dass es etwas Neues gibt.',
    quiet: 'Nicht stören',
    quietText: (zone) =>
      `Jeden Tag zwischen diesen Uhrzeiten (${zone}). Auch Push-Benachrichtigungen für Anrufe pausieren.`,
    from: 'Von',
    until: 'Bis',
  },
} satisfies typeof deviceWords
