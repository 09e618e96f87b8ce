import type { mailWords } from '../mail.ts'

export default {
  forgot: {
    title: 'Mot de passe oublié',
    text: 'Donne l’adresse e-mail de ton compte. Elle recevra un lien pour choisir un nouveau mot de passe.',
    send: 'Envoyer le lien',
    sent: 'Si un compte a cette adresse, un lien est en route. Il est valable une heure.',
  },
  reset: {
    title: 'Choisir un nouveau mot de passe',
    text: 'Toutes les sessions du compte prendront fin. Connecte-toi ensuite avec le nouveau mot de passe.',
    save: 'Définir le mot de passe',
    done: 'Ton mot de passe est changé et toutes les sessions ont pris fin.',
  },
  verify: {
    title: 'Confirme ton adresse e-mail',
    text:
      'Si tu n’as pas créé de compte ici, ferme cette page. À la première confirmation, les seconds ' +
      'facteurs, clés d’accès, identités liées et bots ajoutés auparavant sont retirés.',
    confirm: 'Confirmer cette adresse',
    done: 'L’adresse est confirmée.',
    taken: 'Un autre compte a cette adresse.',
    go: 'Continuer',
  },
  confirmFirst: {
    title: 'Confirme ton adresse e-mail',
    text: (email) => `Un lien est en route vers ${email}. Ouvre-le pour continuer.`,
    done: 'Je l’ai confirmée',
    notYet: 'L’adresse n’est pas encore confirmée.',
  },
  own: {
    title: 'E-mail',
    current: 'Ton adresse',
    confirmed: 'confirmée',
    unconfirmed: 'non confirmée',
    resend: 'Renvoyer la confirmation',
    resent: 'Un lien est en route vers ton adresse.',
    next: 'Nouvelle adresse e-mail',
    hint: 'Elle reçoit un lien et remplace l’ancienne quand tu l’ouvres.',
    change: 'Changer d’adresse',
    changing: 'Un lien est en route vers la nouvelle adresse.',
  },
  linkGone: 'Ce lien a expiré ou a déjà servi. Demandes-en un nouveau.',
  backToLogin: 'Retour à la connexion',
} satisfies typeof mailWords
