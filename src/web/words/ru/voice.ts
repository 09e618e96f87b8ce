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
    noCalls: 'Этот браузер не может участвовать в звонках: в нём нет WebRTC. Возьмите другой браузер или устройство.',
    ended: {
      taken_over: 'Звонок продолжается на другом устройстве.',
      access: 'Вы больше не можете участвовать в этом звонке.',
      disconnected: 'Модератор отключил вас от звонка.',
      media_unavailable: 'Сервер сейчас не может передавать этот звонок.',
    },
    endedOtherwise: 'Звонок завершён.',
  },
} satisfies typeof voiceWords
