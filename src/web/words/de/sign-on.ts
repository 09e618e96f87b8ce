import type { signOnWords } from '../sign-on.ts'

export default {
  login: (name) => `Mit ${name} anmelden`,
  problems: {
    login_expired: 'Das hat zu lange gedauert oder begann in einem anderen Fenster. Versuche es noch einmal.',
    oidc_failed:
      'Die Anmeldung dort hat nicht geklappt. Versuche es noch einmal oder frag den Betreiber dieses Servers.',
    email_taken:
      'Ein Konto hier hat deine E-Mail-Adresse schon. Melde dich bei ihm an und verknüpfe es in den ' +
      'Sicherheitseinstellungen.',
    forbidden: 'Hier gehört dir kein Konto, und neue werden auf diesem Weg nicht erstellt.',
    identity_taken: 'Ein anderes Konto ist schon mit dieser Anmeldung verknüpft.',
    identity_linked: 'Dein Konto ist schon verknüpft.',
    token_revoked: 'Deine Sitzung ist inzwischen beendet. Melde dich noch einmal an.',
    unavailable: 'Der Anmeldeserver antwortet nicht. Versuche es gleich noch einmal.',
    last_way_in:
      'Sonst könntest du dich mit nichts mehr anmelden. Setze zuerst ein Passwort oder füge einen ' + 'Passkey hinzu.',
  },
  linked: 'Dein Konto ist verknüpft',
  proven: 'Danke. Mach weiter mit dem, was du vorhattest: Du wirst zehn Minuten lang nicht noch einmal gefragt.',
  title: 'Single Sign-on',
  text: (name) => `Mit ${name} meldest du dich hier ohne Passwort an.`,
  link: (name) => `Mit ${name} verknüpfen`,
  since: (time) => `verknüpft ${time}`,
  used: (time) => `zuletzt verwendet ${time}`,
  unlink: 'Verknüpfung aufheben',
  unlinkOf: (name) => `Verknüpfung mit ${name} aufheben`,
  unlinkText: (name) => `Mit ${name} kannst du dich hier nicht mehr anmelden.`,
} satisfies typeof signOnWords
