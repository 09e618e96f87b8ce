import type { talkWords } from '../talk.ts'

export default {
  muted: 'Dołączaj z wyciszonym mikrofonem',
  mode: 'Inni cię słyszą',
  modes: {
    open: 'Zawsze',
    voice: 'Gdy mówisz',
    push: 'Gdy trzymasz klawisz lub przycisk',
  },
  key: 'Klawisz do trzymania',
  keyText: 'Działa, gdy ta strona jest aktywna; litery nie działają, gdy piszesz.',
  press: 'Naciśnij klawisz…',
  threshold: 'Próg głośności',
  level: 'Twoja głośność teraz',
  listen: 'Pokaż moją głośność',
  noise: 'Tłumienie szumów',
  noises: { off: 'Wyłączone', browser: 'Przeglądarki', rnnoise: 'RNNoise: silniejsze, bardziej obciąża procesor' },
  echo: 'Usuwanie echa',
  gain: 'Dostosowuj głośność mikrofonu',
  music: 'Tryb muzyczny',
  musicText: 'Stereo 128 kbit/s, bez usuwania czegokolwiek z dźwięku. Użyj słuchawek: inaczej inni usłyszą echo.',
  keys: 'Klawisze podczas rozmowy',
  noKey: 'Brak',
  keysText: 'Naciśnij klawisz sam albo z Ctrl, Alt lub Shift. Backspace go usuwa.',
} satisfies typeof talkWords
