import type { signOnWords } from '../sign-on.ts'

export default {
  login: (name) => `Zaloguj się przez ${name}`,
  problems: {
    login_expired: 'Trwało to za długo albo zaczęło się w innym oknie. Spróbuj ponownie.',
    oidc_failed: 'Logowanie tam się nie udało. Spróbuj ponownie albo zapytaj osobę prowadzącą ten serwer.',
    email_taken:
      'Konto z twoim adresem e-mail już tu jest. Zaloguj się na nie i połącz je w ustawieniach bezpieczeństwa.',
    forbidden: 'Nie masz tu konta, a nowych w ten sposób się nie tworzy.',
    identity_taken: 'Z tym logowaniem połączono już inne konto.',
    identity_linked: 'Twoje konto jest już połączone.',
    token_revoked: 'Twoja sesja w międzyczasie się zakończyła. Zaloguj się ponownie.',
    unavailable: 'Serwer logowania nie odpowiada. Spróbuj za chwilę.',
    last_way_in: 'Nic innego by cię nie zalogowało. Najpierw ustaw hasło lub dodaj klucz dostępu.',
  },
  linked: 'Twoje konto jest połączone',
  proven: 'Dziękujemy. Kontynuuj to, co chcesz zrobić: przez dziesięć minut nie zapytamy ponownie.',
  title: 'Logowanie jednokrotne',
  text: (name) => `Przez ${name} logujesz się tu bez hasła.`,
  link: (name) => `Połącz z ${name}`,
  since: (time) => `połączono ${time}`,
  used: (time) => `ostatnie użycie ${time}`,
  unlink: 'Odłącz',
  unlinkOf: (name) => `Odłącz ${name}`,
  unlinkText: (name) => `${name} nie zaloguje cię tu więcej.`,
} satisfies typeof signOnWords
