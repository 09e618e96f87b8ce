// Printed from locales/pl/status.json. After a change there: bun run words
import type { statusWords } from '../status.ts'

export default {
  title: 'Twój status',
  choice: 'Inni widzą',
  about: {
    online: '„Zaraz wracam” po dziesięciu minutach bez aktywności',
    idle: 'Zawsze „Zaraz wracam”',
    dnd: 'Bez powiadomień i dźwięków na Twoich urządzeniach',
    invisible: 'Offline. Nikt nie widzi, że piszesz, a @here Cię nie powiadamia.',
  },
  text: 'Co robisz?',
  emoji: 'Wybierz emoji',
  noEmoji: (emoji) => `Usuń ${emoji}`,
  ends: 'Kończy się',
  never: 'nigdy',
  callers: 'Znajomi, których połączenia mimo to dzwonią, najwyżej 50',
  seen: {
    title: 'Inni Cię zobaczą',
    text: 'Masz status niewidoczny, ale każdy, kto widzi to połączenie, zobaczy, że w nim jesteś.',
    action: 'Dołącz do połączenia',
  },
} satisfies typeof statusWords
