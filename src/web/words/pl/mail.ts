// Printed from locales/pl/mail.json. After a change there: bun run words
import type { mailWords } from '../mail.ts'

export default {
  forgot: {
    title: 'Zresetuj hasło',
    text: 'Podaj adres e-mail swojego konta. Dostaniesz link do wyboru nowego hasła.',
    send: 'Wyślij link',
    sent: 'Jeśli jakieś konto ma ten adres, link jest już w drodze. Jest ważny przez godzinę.',
  },
  reset: {
    title: 'Wybierz nowe hasło',
    text: 'Wylogujemy cię wszędzie. Potem zaloguj się nowym hasłem.',
    save: 'Ustaw hasło',
    done: 'Hasło zostało zmienione i wylogowano cię wszędzie.',
  },
  verify: {
    title: 'Potwierdź swój adres e-mail',
    text: 'Jeśli konto nie zostało tu utworzone przez ciebie, zamknij tę stronę. Pierwsze potwierdzenie usuwa wszystkie dodane wcześniej drugie składniki, klucze dostępu, połączone tożsamości i boty.',
    confirm: 'Potwierdź ten adres',
    done: 'Adres potwierdzony.',
    taken: 'Tego adresu używa już inne konto.',
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
    hint: 'Na nowy adres dostaniesz link. Gdy go otworzysz, nowy adres zastąpi stary.',
    change: 'Zmień adres',
    changing: 'Link jest w drodze na nowy adres.',
  },
  linkGone: 'Ten link wygasł lub został już użyty. Poproś o nowy.',
  backToLogin: 'Wróć do logowania',
} satisfies typeof mailWords
