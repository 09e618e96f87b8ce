// Printed from locales/de/public-pages.json. After a change there: bun run words
import type { publicWords } from '../public-pages.ts'

export default {
  title: 'Öffentliche Seiten',
  server: 'Kanäle dieses Servers dürfen öffentlich sein',
  serverText: 'Wähle einzelne Kanäle und Foren in deren Einstellungen. Ohne das ist nichts öffentlich.',
  indexed: 'Suchmaschinen dürfen sie anzeigen',
  channel: 'Alle lesen diesen Kanal, auch ohne Konto',
  channelText:
    'Nachrichten von zurückgehaltenen Mitgliedern und von solchen, die in den letzten 24 Stunden beigetreten sind, fehlen.',
  serverOff: 'Erlaube zuerst öffentliche Seiten in den Einstellungen des Servers.',
  older: 'Auch was vorher geschrieben wurde',
  olderText: ({ people, messages }) =>
    `Menschen, die hier geschrieben haben: ${people}. Ihre Nachrichten: ${messages}.`,
  open: 'Öffentliche Seite öffnen',
  here: 'Alle können lesen, was hier geschrieben wird, auch ohne Konto.',
  name: 'Öffentliche Seiten zeigen meinen Namen',
  nameText: 'Sonst nennen sie dich „A member“.',
} satisfies typeof publicWords
