// Printed from locales/en/stickers.json. After a change there: bun run words
import { inLanguage } from './plural.ts'

/** Words of stickers and kept pictures, loaded with them. */
export const stickerWords = inLanguage('stickers', {
  stickersTab: 'Stickers',
  emojiTab: 'Emoji',
  picturesTab: 'Pictures',
  kinds: 'Kinds',
  search: 'Search stickers',
  none: 'No matching stickers.',
  nothing: 'You cannot send any stickers here.',
  send: ({ name, alt }: { name: string; alt: string }) => `Send sticker ${name}: ${alt}`,
  gone: 'This sticker no longer exists.',
  hint: 'PNG, APNG, WebP or GIF of at most 512 KiB. Pictures larger than 320 pixels are scaled down.',
  upload: 'Upload a picture',
  name: 'Sticker name',
  alt: 'Description',
  altHint: 'What the picture shows, for people who cannot see it',
  space: ({ used, max }: { used: string; max: string }) => `Pictures and sounds of this server take ${used} of ${max}.`,
  edit: (name: string) => `Edit ${name}`,
  delete: (name: string) => `Delete ${name}`,
  deleteText: 'Nobody can send it any more. It stays visible in messages.',
  empty: 'No stickers yet',
  emptyText: 'Upload a picture, name it and describe it. Every member can send it.',
  counted: ({ n, max }: { n: number; max: number }) => `${n} of ${max}`,
  problems: {
    too_many_stickers: 'This server already has 60 stickers. Delete one first.',
    too_many_bytes:
      'The pictures and sounds of this server leave no space for it. Delete a sticker, emoji or sound first.',
  },
  pictures: {
    keep: 'Keep picture',
    kept: 'Picture kept. You can find it in the emoji picker.',
    send: (name: string) => `Send ${name}`,
    remove: (name: string) => `Remove ${name}`,
    none: 'No pictures yet',
    noneText: 'Open a picture in a message and choose “Keep picture”. Only you see what you keep.',
    problems: {
      too_many_favourites: 'You already keep 50 pictures. Remove one first.',
      too_many_bytes: 'You have no space left for it.',
    },
  },
})
