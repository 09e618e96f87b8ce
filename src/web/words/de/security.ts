// Printed from locales/de/security.json. After a change there: bun run words
import type { securityWords } from '../security.ts'
import { count } from './plural.ts'

export default {
  methods: {
    password: 'Passwort verwenden',
    code: 'Authenticator-App verwenden',
    recovery_code: 'Wiederherstellungscode verwenden',
    passkey: 'Passkey verwenden',
  },
  fields: {
    password: 'Passwort',
    code: 'Code aus deiner Authenticator-App',
    recovery_code: 'Wiederherstellungscode',
  },
  problems: {
    invalid_code: 'Dieser Code ist falsch, abgelaufen oder schon verwendet. Warte auf den nächsten.',
    login_expired: 'Das hat zu lange gedauert, oder es waren zu viele Versuche. Melde dich noch einmal an.',
    invalid_credentials: 'Falsches Passwort.',
  },
  recoveryHint: 'Einer der zehn Codes, die du gespeichert hast. Jeder gilt einmal.',
  second: {
    title: 'Noch ein Schritt',
    text: 'Bestätige, dass du es bist.',
    login: 'Anmelden',
    back: 'Zurück',
  },
  proof: {
    title: 'Bestätige, dass du es bist',
    text: 'Das ändert, wer in dein Konto kommt. Du wirst zehn Minuten lang nicht noch einmal gefragt.',
    go: 'Weiter',
    none: 'Du kannst deine Identität hier auf keine Weise bestätigen. Bitte den Betreiber dieses Servers um einen Link zum Zurücksetzen des Passworts.',
  },
  notThere: 'Es wurde kein Passkey verwendet: Du hast abgebrochen, oder es gibt keinen für diese Website.',
  app: {
    title: 'Authenticator-App',
    off: 'Zur Anmeldung brauchst du dann auch einen Code aus einer App auf deinem Handy.',
    since: (time) => `An seit ${time}. Eine Anmeldung braucht einen Code aus deiner App.`,
    left: (n) => count(n, 'noch # Wiederherstellungscode', 'noch # Wiederherstellungscodes'),
    setUp: 'Einrichten',
    turnOff: 'Ausschalten',
    turnOffText: 'Zur Anmeldung brauchst du dann nur dein Passwort. Deine Wiederherstellungscodes gelten nicht mehr.',
    isOff: 'Die Authenticator-App ist ausgeschaltet',
    newCodes: 'Neue Wiederherstellungscodes',
    scan: 'Scanne das mit deiner Authenticator-App.',
    picture: 'QR-Code für die Authenticator-App',
    type: 'Oder gib diesen Schlüssel in sie ein:',
    confirm: 'Gib dann den Code ein, den sie anzeigt',
    turnOn: 'Einschalten',
  },
  codes: {
    title: 'Deine Wiederherstellungscodes',
    text: 'Speichere sie jetzt: Sie werden nur einmal angezeigt. Jeder Code gilt einmal, wenn du deine App nicht zur Hand hast. Frühere Codes gelten nicht mehr.',
    file: 'parley-wiederherstellungscodes.txt',
    heading: ({ name, host }) => `Wiederherstellungscodes für ${name} auf ${host}`,
    download: 'Herunterladen',
    saved: 'Ich habe sie gespeichert',
  },
  passkeys: {
    title: 'Passkeys',
    text: 'Melde dich mit Fingerabdruck, Gesicht, PIN oder Sicherheitsschlüssel an, ohne Passwort.',
    add: 'Passkey hinzufügen',
    added: (time) => `hinzugefügt ${time}`,
    used: (time) => `zuletzt verwendet ${time}`,
    name: 'Name',
    nameHint: 'Zum späteren Wiedererkennen, etwa „Handy“.',
    rename: 'Umbenennen',
    renameOf: (name) => `${name} umbenennen`,
    remove: 'Entfernen',
    removeOf: (name) => `${name} entfernen`,
    removeText: (name) => `Mit ${name} kannst du dich hier nicht mehr anmelden.`,
  },
  files: {
    title: 'Dateien dieser App',
    text: 'Dieser Browser kann die Dateien dieser App behalten und dich fragen, bevor er andere vom Server nimmt. Vergleiche ihren Hash mit dem eines Releases.',
    pin: 'Geänderte Dateien ablehnen',
    kept: ({ version, date }) => `Version ${version}, behalten seit ${date}`,
    hash: 'Hash deiner Dateien',
    limits:
      'Das findet Dateien, die versehentlich oder von Dritten geändert wurden. Der Betreiber des Servers kann es umgehen: Browser ersetzen den Teil, der die Dateien prüft, ohne zu fragen.',
    noWorker: 'Dieser Browser kann die Dateien dieser Seite nicht behalten.',
    question: 'Der Server hat andere Dateien',
    questionText: ({ version, next }) =>
      `Du benutzt Version ${version}. Der Server nennt für seine Dateien Version ${next}. Nimm sie nur, wenn ihr Hash der des Releases ist.`,
    next: 'Hash der neuen Dateien',
    take: 'Neue Dateien nehmen',
    keep: 'Meine Dateien behalten',
    problems: {
      mismatch: 'Eine Datei des Servers ist nicht die, die seine Liste nennt. Deine Dateien bleiben, wie sie sind.',
      incomplete: 'Nicht alle Dateien konnten geladen werden. Deine Dateien bleiben, wie sie sind.',
    },
    refused: 'Der Server hat eine geänderte Datei dieser App gesendet. Sie wurde abgelehnt.',
    unlisted:
      'Der Server hat den Teil dieser App geändert, der ihre Dateien prüft, aber seine Liste ist unverändert. Vergleiche die Dateien mit dem Release, bevor du diese Seite neu lädst.',
  },
} satisfies typeof securityWords
