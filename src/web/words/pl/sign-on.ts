// Printed from locales/pl/sign-on.json. After a change there: bun run words
import type { signOnWords } from '../sign-on.ts'

export default {
  login: (name) => `Zaloguj się przez ${name}`,
  problems: {
    login_expired: 'Trwało to za długo albo zaczęło się w innym oknie. Spróbuj ponownie.',
    oidc_failed: 'Logowanie w drugiej usłudze się nie udało. Spróbuj ponownie albo zapytaj operatora tego serwera.',
    email_taken:
      'Konto na tym serwerze używa już twojego adresu e-mail. Zaloguj się na nie i połącz je w ustawieniach bezpieczeństwa.',
    forbidden: 'Nie masz tu konta, a nowych kont nie można tworzyć w ten sposób.',
    identity_taken: 'Z tym logowaniem połączono już inne konto.',
    identity_linked: 'Twoje konto jest już połączone.',
    token_revoked: 'Twoja sesja się zakończyła. Zaloguj się ponownie.',
    unavailable: 'Serwer logowania nie odpowiada. Spróbuj za chwilę.',
    last_way_in: 'To twój jedyny sposób logowania. Najpierw ustaw hasło lub dodaj klucz dostępu.',
  },
  linked: 'Twoje konto jest połączone',
  proven: 'Dziękujemy. Wróć do tego, co robisz. Przez dziesięć minut nie zapytamy ponownie.',
  title: 'Logowanie jednokrotne',
  text: (name) => `Loguj się tu przez ${name}, bez hasła.`,
  link: (name) => `Połącz z ${name}`,
  since: (time) => `połączono ${time}`,
  used: (time) => `ostatnie użycie ${time}`,
  unlink: 'Odłącz',
  unlinkOf: (name) => `Odłącz ${name}`,
  unlinkText: (name) => `${name} nie zaloguje cię tu więcej.`,
} satisfies typeof signOnWords
