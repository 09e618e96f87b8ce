import type { mailWords } from '../mail.ts'

export default {
  forgot: {
    title: 'Zapomniane hasło',
    text: 'Podaj adres e-mail swojego konta. Dostanie link, którym wybierzesz nowe hasło.',
    send: 'Wyślij link',
    sent: 'Jeśli jakieś konto ma ten adres, link jest już w drodze. Działa przez godzinę.',
  },
  reset: {
    title: 'Wybierz nowe hasło',
    text: 'Wszystkie sesje konta się zakończą. Potem zaloguj się nowym hasłem.',
    save: 'Ustaw hasło',
    done: 'Hasło zmienione, a wszystkie sesje zakończone.',
  },
  verify: {
    title: 'Potwierdź swój adres e-mail',
    text:
      'Jeśli nie zakładałeś tu konta, zamknij tę stronę. Przy pierwszym potwierdzeniu znikają dodane ' +
      'wcześniej drugie składniki, klucze dostępu, połączone tożsamości i boty.',
    confirm: 'Potwierdź ten adres',
    done: 'Adres potwierdzony.',
    taken: 'Ten adres ma inne konto.',
    go: 'Dalej',
  },
  confirmFirst: {
    title: 'Potwierdź swój adres e-mail',
    text: (email) => `Link jest w drodze na ${email}. Otwórz go, aby kontynuować.`,
    done: 'Adres jest potwierdzony',
    notYet: 'Adres nie jest jeszcze potwierdzony.',
  },
  own: {
    title: 'E-mail',
    current: 'Twój adres',
    confirmed: 'potwierdzony',
    unconfirmed: 'niepotwierdzony',
    resend: 'Wyślij potwierdzenie ponownie',
    resent: 'Link jest w drodze na twój adres.',
    next: 'Nowy adres e-mail',
    hint: 'Dostanie link i zastąpi stary, gdy go użyjesz.',
    change: 'Zmień adres',
    changing: 'Link jest w drodze na nowy adres.',
  },
  linkGone: 'Ten link wygasł lub został użyty. Poproś o nowy.',
  backToLogin: 'Wróć do logowania',
} satisfies typeof mailWords
