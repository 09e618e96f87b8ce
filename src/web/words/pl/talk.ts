// Printed from locales/pl/talk.json. After a change there: bun run words
import type { talkWords } from '../talk.ts'

export default {
  muted: 'Dołączaj do połączeń z wyciszonym mikrofonem',
  mode: 'Tryb wprowadzania',
  modes: {
    open: 'Zawsze włączony',
    voice: 'Aktywność głosowa',
    push: 'Naciśnij i mów',
  },
  key: 'Klawisz „Naciśnij i mów”',
  keyText: 'Działa, gdy ta strona jest aktywna. Klawisze liter nie działają podczas pisania.',
  press: 'Naciśnij klawisz…',
  threshold: 'Czułość wejścia',
  level: 'Poziom wejścia',
  listen: 'Przetestuj mikrofon',
  noise: 'Tłumienie szumów',
  noises: {
    off: 'Wyłączone',
    browser: 'Przeglądarka',
    rnnoise: 'RNNoise (silniejsze, bardziej obciąża procesor)',
  },
  echo: 'Usuwanie echa',
  gain: 'Automatyczna regulacja wzmocnienia',
  music: 'Tryb muzyczny',
  musicText: 'Stereo 128 kbit/s, bez przetwarzania dźwięku. Użyj słuchawek, inaczej inni usłyszą echo.',
  keys: 'Klawisze podczas połączenia',
  noKey: 'Brak',
  keysText: 'Naciśnij klawisz, sam lub z Ctrl, Alt albo Shift. Backspace go usuwa.',
} satisfies typeof talkWords
