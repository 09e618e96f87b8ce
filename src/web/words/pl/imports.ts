import type { importWords } from '../imports.ts'

export default {
  title: 'Przejmij swoje wiadomości',
  text:
    'Wiadomości przeniesione z innego miejsca stają się twoje, z plikami i reakcjami. Role i ' +
    'uprawnienia zostają, jakie były. Nie ma odwrotu.',
  take: 'Są moje',
  taken: 'W ciągu kilku minut staną się twoje.',
  gone: 'Link wygasł, został użyty lub jest dla innego konta.',
  go: 'Dalej',
} satisfies typeof importWords
