// Printed from locales/uk/stickers.json. After a change there: bun run words
import type { stickerWords } from '../stickers.ts'

export default {
  stickersTab: 'Стікери',
  emojiTab: 'Емодзі',
  picturesTab: 'Зображення',
  kinds: 'Види',
  search: 'Пошук стікерів',
  none: 'Відповідних стікерів немає.',
  nothing: 'Тут немає стікерів, які ви можете надіслати.',
  send: ({ name, alt }) => `Надіслати стікер ${name}: ${alt}`,
  gone: 'Цього стікера більше немає.',
  hint: 'PNG, APNG, WebP або GIF не більше ніж 512 КіБ. Зображення понад 320 пікселів зменшуються.',
  upload: 'Завантажити зображення',
  name: 'Назва стікера',
  alt: 'Опис',
  altHint: 'Що на зображенні, для тих, хто його не бачить',
  space: ({ used, max }) => `Зображення й звуки цього сервера займають ${used} із ${max}.`,
  edit: (name) => `Змінити ${name}`,
  delete: (name) => `Видалити ${name}`,
  deleteText: 'Більше ніхто не зможе його надіслати. У повідомленнях він залишиться.',
  empty: 'Стікерів поки немає',
  emptyText: 'Завантажте зображення, назвіть і опишіть його. Кожен учасник зможе його надіслати.',
  counted: ({ n, max }) => `${n} із ${max}`,
  problems: {
    too_many_stickers: 'На цьому сервері вже 60 стікерів.',
    too_many_bytes: 'Зображення й звуки цього сервера не лишають для нього місця.',
  },
  pictures: {
    keep: 'Зберегти в себе',
    kept: 'Зображення збережено. Воно там, де обирають емодзі.',
    send: (name) => `Надіслати ${name}`,
    remove: (name) => `Прибрати ${name}`,
    none: 'Зображень поки немає',
    noneText: 'Відкрийте зображення в повідомленні й виберіть «Зберегти в себе». Збережене бачите лише ви.',
    problems: {
      too_many_favourites: 'У вас уже збережено 50 зображень.',
      too_many_bytes: 'У вас не лишилося для нього місця.',
    },
  },
} satisfies typeof stickerWords
