import type { deviceWords } from '../device.ts'
import { count } from './plural.ts'

export default {
  share: {
    title: 'Teilen',
    text: 'Nachricht',
    send: 'Teilen',
    leftOut: (n) =>
      count(
        n,
        '# weitere Datei ist zu viel, um sie auf einmal zu teilen.',
        '# weitere Dateien sind zu viel, um sie auf einmal zu teilen.',
      ),
  },
  notices: {
    tab: 'Benachrichtigungen',
    here: 'Auf diesem Gerät',
    push: 'Benachrichtigungen, während Parley geschlossen ist',
    pushText:
      'Sie kommen über den Push-Dienst des Browserherstellers, so verschlüsselt, dass nur dieses Gerät ' +
      'sie lesen kann.',
    none:
      'Dieser Browser hat hier keine Push-Benachrichtigungen. Sie brauchen HTTPS und auf iPhone oder ' +
      'iPad Parley auf dem Home-Bildschirm.',
    denied:
      'Der Browser blockiert Benachrichtigungen dieser Seite. Erlaube sie in seinen Einstellungen für ' +
      'diese Website.',
    off: 'Dieser Server sendet keine Push-Benachrichtigungen.',
    needHttps: 'Desktop-Benachrichtigungen brauchen HTTPS.',
    desktop: 'Desktop-Benachrichtigungen, während Parley offen ist',
    sound: 'Ein Ton bei Nachrichten, die du nicht siehst',
    everywhere: 'Auf allen deinen Geräten',
    hide: 'Namen und Text verbergen',
    hideText: 'Benachrichtigungen sagen dann nur, dass es etwas Neues gibt.',
    quiet: 'Nicht stören',
    quietText: (zone) => `Jeden Tag zwischen diesen Uhrzeiten (${zone}). Anrufe klingeln dann nicht per Push.`,
    from: 'Von',
    until: 'Bis',
  },
} satisfies typeof deviceWords
