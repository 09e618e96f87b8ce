// Printed from locales/pl/imports.json. After a change there: bun run words
import type { importWords } from '../imports.ts'

export default {
  title: 'Przejmij swoje wiadomości',
  text: 'Wiadomości zaimportowane z innego miejsca staną się twoje, razem z plikami i reakcjami. Role i uprawnienia się nie zmienią. Tego nie da się cofnąć.',
  take: 'Te są moje',
  taken: 'Wiadomości będą twoje w ciągu kilku minut.',
  gone: 'Link wygasł, został już użyty lub jest dla innego konta.',
  go: 'Dalej',
} satisfies typeof importWords
