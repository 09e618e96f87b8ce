// Printed from locales/ru/stickers.json. After a change there: bun run words
import type { stickerWords } from '../stickers.ts'

export default {
  stickersTab: 'Стикеры',
  emojiTab: 'Эмодзи',
  picturesTab: 'Изображения',
  kinds: 'Виды',
  search: 'Поиск стикеров',
  none: 'Подходящих стикеров нет.',
  nothing: 'Здесь нет стикеров, которые вы можете отправить.',
  send: ({ name, alt }) => `Отправить стикер ${name}: ${alt}`,
  gone: 'Этого стикера больше нет.',
  hint: 'PNG, APNG, WebP или GIF не больше 512 КиБ. Изображения больше 320 пикселей уменьшаются.',
  upload: 'Загрузить изображение',
  name: 'Название стикера',
  alt: 'Описание',
  altHint: 'Что на изображении, для тех, кто его не видит',
  space: ({ used, max }) => `Изображения и звуки этого сервера занимают ${used} из ${max}.`,
  edit: (name) => `Изменить ${name}`,
  delete: (name) => `Удалить ${name}`,
  deleteText: 'Больше никто не сможет его отправить. В сообщениях он останется.',
  empty: 'Стикеров пока нет',
  emptyText: 'Загрузите изображение, назовите и опишите его. Каждый участник сможет его отправить.',
  counted: ({ n, max }) => `${n} из ${max}`,
  problems: {
    too_many_stickers: 'На этом сервере уже 60 стикеров.',
    too_many_bytes: 'Изображения и звуки этого сервера не оставляют для него места.',
  },
  pictures: {
    keep: 'Сохранить у себя',
    kept: 'Изображение сохранено. Оно там, где выбирают эмодзи.',
    send: (name) => `Отправить ${name}`,
    remove: (name) => `Убрать ${name}`,
    none: 'Изображений пока нет',
    noneText: 'Откройте изображение в сообщении и выберите «Сохранить у себя». Сохранённое видите только вы.',
    problems: {
      too_many_favourites: 'У вас уже сохранено 50 изображений.',
      too_many_bytes: 'У вас не осталось для него места.',
    },
  },
} satisfies typeof stickerWords
