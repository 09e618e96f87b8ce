import type { arrivalWords } from '../arrival.ts'

export default {
  tab: 'Nowi członkowie',
  rules: 'Zasady',
  rulesHint:
    'Kto dołączy później, akceptuje te zasady, zanim zacznie pisać. Zmiana pokazuje członkom baner i nikogo ' +
    'nie wstrzymuje.',
  rulesField: 'Zasady (Markdown, najwyżej 16 wierszy)',
  saveRules: 'Zapisz zasady',
  waiting: 'Już prawie: zaakceptuj zasady, aby wziąć udział.',
  changed: 'Zasady tego serwera się zmieniły.',
  read: 'Przeczytaj zasady',
  rulesOf: (server) => `Zasady: ${server}`,
  accept: 'Akceptuję zasady',
  goIn: 'Wejdź',
  noRules: 'Ten serwer nie ma zasad. Możesz wejść.',
  readAgain: 'Zasady właśnie się zmieniły. Przeczytaj je ponownie.',
  welcome: 'Witaj!',
  wave: 'Pomachaj',
} satisfies typeof arrivalWords
