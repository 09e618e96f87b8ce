// Printed from locales/uk/voice.json. After a change there: bun run words
import type { voiceWords } from '../voice.ts'

export default {
  voice: {
    members: 'Учасники дзвінка',
    start: 'Почати дзвінок',
    underway: 'Триває дзвінок',
    declined: (name) => `${name} відхиляє дзвінок.`,
    muted: 'мікрофон вимкнено',
    deafened: 'звук вимкнено',
    sharing: 'показує екран',
    noMicrophone: 'Немає мікрофона: ви чуєте інших, але вони вас ні.',
    noCalls: 'Цей браузер не підтримує дзвінки (WebRTC). Скористайтеся іншим браузером або пристроєм.',
    ended: {
      taken_over: 'Дзвінок триває на іншому пристрої.',
      access: 'Ви більше не маєте доступу до цього дзвінка.',
      disconnected: 'Модератор від’єднав вас від дзвінка.',
      media_unavailable: 'Сервер зараз не може передавати цей дзвінок.',
    },
    endedOtherwise: 'Дзвінок завершено.',
  },
} satisfies typeof voiceWords
