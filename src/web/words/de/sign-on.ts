// Printed from locales/de/sign-on.json. After a change there: bun run words
import type { signOnWords } from '../sign-on.ts'

export default {
  login: (name) => `Mit ${name} anmelden`,
  problems: {
    login_expired: 'Das hat zu lange gedauert oder wurde in einem anderen Fenster gestartet. Versuche es noch einmal.',
    oidc_failed:
      'Die Anmeldung beim anderen Dienst ist fehlgeschlagen. Versuche es noch einmal oder frag den Betreiber dieses Servers.',
    email_taken:
      'Ein Konto hier verwendet deine E-Mail-Adresse schon. Melde dich bei ihm an und verknüpfe es in den Sicherheitseinstellungen.',
    forbidden: 'Du hast hier kein Konto, und neue Konten lassen sich auf diesem Weg nicht erstellen.',
    identity_taken: 'Ein anderes Konto ist schon mit dieser Anmeldung verknüpft.',
    identity_linked: 'Dein Konto ist schon verknüpft.',
    token_revoked: 'Deine Sitzung wurde beendet. Melde dich noch einmal an.',
    unavailable: 'Der Anmeldeserver antwortet nicht. Versuche es gleich noch einmal.',
    last_way_in:
      'Das ist deine einzige Möglichkeit, dich anzumelden. Setze zuerst ein Passwort oder füge einen Passkey hinzu.',
  },
  linked: 'Dein Konto ist verknüpft',
  proven: 'Danke. Mach weiter, wo du warst. Du wirst zehn Minuten lang nicht noch einmal gefragt.',
  title: 'Single Sign-on',
  text: (name) => `Melde dich hier mit ${name} an, ohne Passwort.`,
  link: (name) => `Mit ${name} verknüpfen`,
  since: (time) => `verknüpft ${time}`,
  used: (time) => `zuletzt verwendet ${time}`,
  unlink: 'Verknüpfung aufheben',
  unlinkOf: (name) => `Verknüpfung mit ${name} aufheben`,
  unlinkText: (name) => `Mit ${name} kannst du dich hier nicht mehr anmelden.`,
} satisfies typeof signOnWords
