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
  choices: 'Kanały i role',
  pick: 'Role do wyboru',
  pickHint: 'Wybór możesz zmienić w każdej chwili.',
  nothing: 'Na razie nie ma nic do wyboru',
  nothingText: 'Ten serwer nie daje członkom nic do wyboru.',
  mayNotChoose: 'Wybór będzie możliwy, gdy będziesz mógł tu pisać.',
  selfAssignable: 'Członkowie mogą sami wybrać tę rolę',
  selfAssignableHint:
    'Taka rola nie ma rangi i ma tylko początkowe uprawnienia wszystkich. Po wyłączeniu członkowie ją zachowują.',
  opens: 'Otworzyć kanały dla wszystkich?',
  opensText: (channels) => `Każdy może wybrać tę rolę, więc każdy zobaczy: ${channels}`,
  open: 'Otwórz',
  hidden: 'kanał, którego nie widzisz',
} satisfies typeof arrivalWords
