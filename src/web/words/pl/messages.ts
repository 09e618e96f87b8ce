// Printed from locales/pl/messages.json. After a change there: bun run words
import type { messageWords } from '../messages.ts'
import { listOf, spanOf } from '../plural.ts'
import { choose, count } from './plural.ts'

export default {
  messages: {
    list: (place) => `Wiadomości w ${place}`,
    beginnings: {
      channel: 'To początek kanału. Powiedz, do czego służy, i zaproś inne osoby.',
      dm: 'To początek waszej rozmowy. Nie ma w niej nikogo innego.',
      group: 'To początek grupy. Osoby dodane później widzą wszystkie wiadomości.',
      thread: 'To początek wątku. Obserwujesz go, gdy w nim piszesz.',
    },
    one: 'wiadomość',
    spoiler: 'Pokaż spoiler',
    copyCode: 'Kopiuj kod',
    codeCopied: 'Skopiowano kod.',
    fromBlocked: 'Wiadomość od osoby, którą blokujesz.',
    show: 'Pokaż wiadomość',
    new: 'Nowe',
    newAbove: 'Nowe wiadomości powyżej',
    toNewest: 'Przejdź do najnowszych wiadomości',
    failed: 'Nie udało się wczytać tych wiadomości.',
    edited: '(edytowano)',
    imported: 'zaimportowano',
    sending: 'wysyłanie…',
    refused: 'Nie wysłano:',
    retry: 'Ponów',
    withoutReply: 'Wyślij bez odpowiedzi',
    giveUp: 'Usuń',
    replyTo: 'Odpowiedź do',
    gone: 'Oryginalna wiadomość została usunięta',
    selectThis: 'Zaznacz tę wiadomość',
    previews: 'Podglądy linków',
    openPicture: (host) => `Obraz z ${host}`,
    video: 'Wideo',
    webhook: 'Webhook',
  },
  notices: {
    raid_alert: (n) => `Tryb najazdu: wiele kont dołączyło naraz. W kwarantannie: ${n}. Nikt więcej nie może dołączyć.`,
    automod_alert: ({ place, who, rule, n }) =>
      place === undefined
        ? `AutoMod: ${who} łamie regułę „${rule}” (${n}×).`
        : `AutoMod: ${who} łamie regułę „${rule}” w ${place} (${n}×).`,
    shortCall: (who) => `${who} rozpoczyna połączenie. Trwało mniej niż minutę.`,
    call: ({ who, seconds }) => `${who} rozpoczyna połączenie. Czas trwania: ${spanOf(seconds)}.`,
    missed: (who) => `Nieodebrane połączenie od ${who}.`,
    unanswered: 'Nikt nie odebrał twojego połączenia.',
    recipient_added: ({ who, target }) => `${who} dodaje do grupy: ${target}.`,
    recipient_removed: ({ who, target }) => `${who} usuwa z grupy: ${target}.`,
    left: (who) => `${who} opuszcza grupę.`,
    renamed: ({ who, name }) => `${who} nazywa grupę ${name}.`,
    unnamed: (who) => `${who} usuwa nazwę grupy.`,
    member_joined: (who) => `${who} dołącza do serwera.`,
    pinned: (who) => `${who} przypina wiadomość.`,
    thread_created: ({ who, name }) => `${who} rozpoczyna wątek ${name}.`,
    poll_ended: 'Ankieta się zakończyła.',
  },
  retention: {
    pruned: 'Starsze wiadomości zostały usunięte.',
    messages: (n) =>
      count(
        n,
        'Wiadomości są usuwane po # dniu.',
        'Wiadomości są usuwane po # dniach.',
        'Wiadomości są usuwane po # dniach.',
        'Wiadomości są usuwane po # dnia.',
      ),
    files: (n) =>
      count(
        n,
        'Pliki są usuwane po # dniu.',
        'Pliki są usuwane po # dniach.',
        'Pliki są usuwane po # dniach.',
        'Pliki są usuwane po # dnia.',
      ),
  },
  forward: {
    forwarded: 'Przekazano',
    original: 'Przejdź do oryginału',
  },
  composer: {
    to: (place) => `Napisz w ${place}`,
    send: 'Wyślij',
    later: 'Wyślij później',
    poll: 'Utwórz ankietę',
    record: 'Nagraj wiadomość głosową',
    replyMention: (name) => `Wspomnij ${name} w odpowiedzi`,
    mentionOn: '@ wł.',
    mentionOff: '@ wył.',
    mayNot: 'Nie masz uprawnień do wysyłania tu wiadomości.',
    timedOut: (time) => `Masz wykluczenie do ${time}. Możesz czytać, ale nie pisać.`,
    blocked: 'Blokujesz tę osobę. Odblokuj ją, aby pisać.',
  },
  files: {
    add: 'Dodaj pliki',
    drop: 'Upuść pliki tutaj',
    waiting: 'Ta wiadomość zostanie wysłana po przesłaniu plików.',
    open: (name) => `Otwórz ${name}`,
    spoiler: 'Spoiler',
    reveal: 'Pokaż plik ze spoilerem',
    count: (n) => count(n, '# plik', '# pliki', '# plików', '# pliku'),
    uncover: 'Pokaż ten obraz',
    openDescribed: ({ alt, name }) => `${alt}. Otwórz ${name}`,
  },
  direct: {
    list: 'Wiadomości prywatne',
    none: 'Tutaj pojawiają się twoje rozmowy z osobami i grupami.',
    begin: 'Rozpocznij rozmowę',
    cannot: 'Ta osoba nie przyjmuje od ciebie wiadomości.',
    hide: (name) => `Ukryj rozmowę z ${name}`,
    write: (name) => `Napisz do ${name}`,
    read: 'Przeczytane',
    requests: (n) =>
      n === 0
        ? 'Prośby o wiadomość'
        : count(n, '# prośba o wiadomość', '# prośby o wiadomość', '# próśb o wiadomość', '# prośby o wiadomość'),
  },
  groups: {
    new: 'Nowa rozmowa',
    add: 'Dodaj osoby',
    settings: 'Ustawienia grupy',
    people: (n) => count(n, '# osoba', '# osoby', '# osób', '# osoby'),
  },
  typing: ({ names, n }) =>
    choose(
      n,
      `${listOf(names)} pisze…`,
      `${listOf(names)} piszą…`,
      `${listOf(names)} piszą…`,
      `${listOf(names)} piszą…`,
    ),
  typingMany: 'Kilka osób pisze…',
} satisfies typeof messageWords
