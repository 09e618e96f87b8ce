// Printed from locales/de/stickers.json. After a change there: bun run words
import type { stickerWords } from '../stickers.ts'

export default {
  stickersTab: 'Sticker',
  emojiTab: 'Emojis',
  picturesTab: 'Bilder',
  kinds: 'Arten',
  search: 'Sticker suchen',
  none: 'Kein passender Sticker.',
  nothing: 'Hier kannst du keine Sticker senden.',
  send: ({ name, alt }) => `Sticker senden: ${name}, ${alt}`,
  gone: 'Diesen Sticker gibt es nicht mehr.',
  hint: 'PNG, APNG, WebP oder GIF mit höchstens 512 KiB. Bilder über 320 Pixel werden verkleinert.',
  upload: 'Bild hochladen',
  name: 'Name des Stickers',
  alt: 'Beschreibung',
  altHint: 'Was das Bild zeigt, für Menschen, die es nicht sehen',
  space: ({ used, max }) => `Bilder und Klänge dieses Servers belegen ${used} von ${max}.`,
  edit: (name) => `${name} bearbeiten`,
  delete: (name) => `${name} löschen`,
  deleteText: 'Niemand kann ihn mehr senden. In Nachrichten bleibt er sichtbar.',
  empty: 'Noch keine Sticker',
  emptyText: 'Lade ein Bild hoch, gib ihm einen Namen und beschreibe es. Jedes Mitglied kann es senden.',
  counted: ({ n, max }) => `${n} von ${max}`,
  problems: {
    too_many_stickers: 'Dieser Server hat schon 60 Sticker. Lösche erst einen.',
    too_many_bytes:
      'Die Bilder und Klänge dieses Servers lassen dafür keinen Platz. Lösche erst einen Sticker, ein Emoji oder einen Klang.',
  },
  pictures: {
    keep: 'Bild merken',
    kept: 'Bild gemerkt. Du findest es bei der Auswahl der Emojis.',
    send: (name) => `${name} senden`,
    remove: (name) => `${name} entfernen`,
    none: 'Noch keine Bilder',
    noneText: 'Öffne ein Bild in einer Nachricht und wähle „Bild merken“. Nur du siehst deine gemerkten Bilder.',
    problems: {
      too_many_favourites: 'Du hast dir schon 50 Bilder gemerkt. Entferne erst eins.',
      too_many_bytes: 'Du hast dafür keinen Speicherplatz mehr.',
    },
  },
} satisfies typeof stickerWords
