// Printed from locales/fr/account.json. After a change there: bun run words
import type { accountWords } from '../account.ts'

export default {
  signIn: {
    welcome: 'Content de te revoir',
    ended: 'Tu as été déconnecté depuis un autre appareil. Reconnecte-toi. Tes messages non envoyés sont toujours là.',
    name: 'Nom d’utilisateur ou e-mail',
    username: 'Nom d’utilisateur',
    email: 'E-mail',
    password: 'Mot de passe',
    login: 'Se connecter',
    passkey: 'Se connecter avec une clé d’accès',
    register: 'Créer un compte',
    forgot: 'Mot de passe oublié ?',
    noAccount: 'Pas encore de compte ?',
    haveAccount: 'Tu as déjà un compte ?',
    rulesTitle: 'Exigences',
    rules: {
      length: 'au moins 12 caractères',
      upper: 'une lettre majuscule',
      lower: 'une lettre minuscule',
      digit: 'un chiffre',
      special: 'un caractère parmi !@#$%^&*',
    },
  },
  newLogin: ({ device, ip }) =>
    `Nouvelle connexion à ton compte : ${device}, depuis ${ip}. Si ce n’était pas toi, termine cette session dans les paramètres.`,
  securityChanged: {
    totp_on: 'Une application d’authentification a été configurée pour ton compte.',
    totp_off: 'L’application d’authentification de ton compte a été désactivée.',
    recovery_codes: 'De nouveaux codes de récupération ont été créés pour ton compte.',
    passkey_added: 'Une clé d’accès a été ajoutée à ton compte.',
    passkey_removed: 'Une clé d’accès a été retirée de ton compte.',
    identity_linked: 'Ton compte a été lié à l’authentification unique.',
    identity_unlinked: 'Le lien de ton compte avec l’authentification unique a été supprimé.',
  },
  unknownDevice: 'un appareil inconnu',
} satisfies typeof accountWords
