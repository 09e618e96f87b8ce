import type { laterWords } from '../later.ts'

export default {
  at: 'В інший час',
  saved: {
    title: 'Збережені',
    none: 'Поки нічого не збережено',
    noneText: 'Виберіть «Зберегти повідомлення» в меню повідомлення. Збережене бачите лише ви.',
    note: 'Нотатка',
    noteText: 'Її бачите лише ви.',
    remind: 'Нагадати',
    set: 'Поставити нагадування',
    until: (time) => `Нагадування ${time}`,
    since: (time) => `Нагадування, чекає з ${time}`,
    clear: 'Прибрати нагадування',
    done: 'Готово',
    edit: 'Нотатка й нагадування…',
    remove: 'Прибрати зі збережених',
  },
} satisfies typeof laterWords
