import type { laterWords } from '../later.ts'

export default {
  at: 'В другое время',
  saved: {
    title: 'Сохранённые',
    none: 'Пока ничего не сохранено',
    noneText: 'Выберите «Сохранить сообщение» в меню сообщения. Сохранённое видите только вы.',
    note: 'Заметка',
    noteText: 'Её видите только вы.',
    remind: 'Напомнить',
    set: 'Поставить напоминание',
    until: (time) => `Напоминание ${time}`,
    since: (time) => `Напоминание, ждёт с ${time}`,
    clear: 'Убрать напоминание',
    done: 'Готово',
    edit: 'Заметка и напоминание…',
    remove: 'Убрать из сохранённых',
  },
} satisfies typeof laterWords
