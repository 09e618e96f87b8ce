// Printed from locales/pl/stickers.json. After a change there: bun run words
import type { stickerWords } from '../stickers.ts'

export default {
  stickersTab: 'Naklejki',
  emojiTab: 'Emoji',
  picturesTab: 'Obrazy',
  kinds: 'Rodzaje',
  search: 'Szukaj naklejek',
  none: 'Brak pasujących naklejek.',
  nothing: 'Nie ma naklejek, które możesz tu wysłać.',
  send: ({ name, alt }) => `Wyślij naklejkę ${name}: ${alt}`,
  gone: 'Tej naklejki już nie ma.',
  hint: 'PNG, APNG, WebP lub GIF do 512 KiB. Obrazy większe niż 320 pikseli są zmniejszane.',
  upload: 'Prześlij obraz',
  name: 'Nazwa naklejki',
  alt: 'Opis',
  altHint: 'Co przedstawia obraz, dla osób, które go nie widzą',
  space: ({ used, max }) => `Obrazy i dźwięki tego serwera zajmują ${used} z ${max}.`,
  edit: (name) => `Edytuj: ${name}`,
  delete: (name) => `Usuń: ${name}`,
  deleteText: 'Nikt nie może jej już wysłać. W wiadomościach pozostaje widoczna.',
  empty: 'Nie ma jeszcze naklejek',
  emptyText: 'Prześlij obraz, nazwij go i opisz. Każdy członek może go wysłać.',
  counted: ({ n, max }) => `${n} z ${max}`,
  problems: {
    too_many_stickers: 'Ten serwer ma już 60 naklejek. Najpierw usuń jedną.',
    too_many_bytes:
      'Obrazy i dźwięki tego serwera nie zostawiają na nią miejsca. Najpierw usuń naklejkę, emoji lub dźwięk.',
  },
  pictures: {
    keep: 'Zachowaj obraz',
    kept: 'Obraz zachowany. Znajdziesz go tam, gdzie wybierasz emoji.',
    send: (name) => `Wyślij: ${name}`,
    remove: (name) => `Usuń: ${name}`,
    none: 'Nie ma jeszcze obrazów',
    noneText: 'Otwórz obraz w wiadomości i wybierz „Zachowaj obraz”. Tylko ty widzisz, co zachowujesz.',
    problems: {
      too_many_favourites: 'Masz już zachowanych 50 obrazów. Najpierw usuń jeden.',
      too_many_bytes: 'Nie masz już na niego miejsca.',
    },
  },
} satisfies typeof stickerWords
