// Printed from locales/pl/voice.json. After a change there: bun run words
import type { voiceWords } from '../voice.ts'

export default {
  voice: {
    members: 'Uczestnicy połączenia',
    start: 'Rozpocznij połączenie',
    underway: 'Trwa połączenie',
    declined: (name) => `${name} odrzuca połączenie.`,
    muted: 'wyciszony',
    deafened: 'wyłączony dźwięk',
    sharing: 'udostępnia ekran',
    noMicrophone: 'Brak mikrofonu: słyszysz innych, ale oni nie słyszą ciebie.',
    noCalls: 'Ta przeglądarka nie obsługuje połączeń (WebRTC). Użyj innej przeglądarki lub urządzenia.',
    ended: {
      taken_over: 'Połączenie trwa na innym urządzeniu.',
      access: 'Nie masz już dostępu do tego połączenia.',
      disconnected: 'Moderator odłączył cię od połączenia.',
      media_unavailable: 'Serwer nie może teraz obsłużyć tego połączenia.',
    },
    endedOtherwise: 'Połączenie zakończone.',
  },
} satisfies typeof voiceWords
