// Printed from locales/ru/voice.json. After a change there: bun run words
import type { voiceWords } from '../voice.ts'

export default {
  voice: {
    members: 'Участники звонка',
    start: 'Начать звонок',
    underway: 'Идёт звонок',
    declined: (name) => `${name} отклоняет звонок.`,
    muted: 'микрофон выключен',
    deafened: 'звук выключен',
    sharing: 'показывает экран',
    noMicrophone: 'Нет микрофона: вы слышите других, но они вас нет.',
    noCalls: 'Этот браузер не поддерживает звонки (WebRTC). Используйте другой браузер или устройство.',
    ended: {
      taken_over: 'Звонок продолжается на другом устройстве.',
      access: 'У вас больше нет доступа к этому звонку.',
      disconnected: 'Модератор отключил вас от звонка.',
      media_unavailable: 'Сервер сейчас не может передавать этот звонок.',
    },
    endedOtherwise: 'Звонок завершён.',
  },
} satisfies typeof voiceWords
