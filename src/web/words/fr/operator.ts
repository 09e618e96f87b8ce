import type { operatorWords } from '../operator.ts'
import { count } from './plural.ts'

export default {
  title: 'Opérateur',
  back: 'Retour à Parley',
  sections: {
    figures: 'Chiffres',
    health: 'État',
    accounts: 'Comptes',
    servers: 'Serveurs',
    reports: 'Signalements',
    registration: 'Inscription',
    storage: 'Stockage',
    backups: 'Sauvegardes',
    log: 'Journal',
  },
  nothing: 'Page introuvable.',
  proof: {
    title: 'Confirme que c’est bien toi',
    text: 'Confirme ton identité pour ouvrir cette page pendant dix minutes.',
  },
  problems: {
    forbidden: 'Les opérateurs ne se modifient que depuis la ligne de commande : bun run admin.',
    owns_servers: 'Ce compte possède des serveurs. Supprime-les ou transfère d’abord leur propriété.',
    backup_running: 'Une sauvegarde est déjà en cours.',
    not_found: 'Cela n’existe plus.',
  },
  refresh: 'Actualiser',
  none: 'Aucun',
  figures: {
    span: 'Période',
    spans: {
      hour: 'Dernière heure',
      day: 'Dernier jour',
      month: '30 derniers jours',
    },
    now: (value, most) => `maintenant ${value}, pic ${most}`,
    empty: 'Les premiers chiffres apparaissent d’ici une minute.',
    charts: {
      sockets: 'Connexions ouvertes',
      requests: 'Requêtes',
      failures: 'Requêtes échouées',
      messages: 'Messages envoyés',
      lag_ms: 'Plus long retard du serveur (ms)',
      memory_bytes: 'Mémoire',
      accounts: 'Comptes',
      database_bytes: 'Taille de la base de données',
      free_bytes: 'Espace libre',
    },
    totals: {
      version: 'Version',
      schema_version: 'Schéma',
      running_servers: 'Processus',
      accounts: 'Comptes',
      accounts_active_last_day: 'Actifs le dernier jour',
      suspended_accounts: 'Suspendus',
      sessions: 'Sessions',
      servers: 'Serveurs',
      channels: 'Salons',
      messages: 'Messages',
      direct_messages: 'Messages privés',
      files: 'Fichiers',
      file_bytes: 'Taille des fichiers',
      objects_to_remove: 'Objets à retirer',
      events: 'Événements du journal',
      event_bytes: 'Taille du journal des événements',
      database_bytes: 'Taille de la base de données',
    },
  },
  health: {
    levels: {
      ok: 'OK',
      warning: 'À vérifier',
      error: 'Ne fonctionne pas',
    },
    states: {
      off: 'Désactivé',
      starting: 'Démarrage en cours',
      building: 'Compilation en cours',
      restarting: 'Redémarrage en cours',
    },
    parts: {
      database: 'Base de données',
      object_store: 'Stockage des fichiers',
      disk: 'Disque',
      bus: 'Connexion entre processus',
      backup: 'Sauvegardes',
      retention: 'Suppression des anciens messages',
      mail: 'E-mail',
      identity_provider: 'Authentification unique',
      turn: 'Relais des appels',
      sfu: 'Serveur de médias des appels',
      proxy: 'Proxy inverse',
    },
    advice: {
      'database full':
        'Les nouveaux messages et fichiers sont refusés. Libère de l’espace sur le disque de la base : elle se ' +
        'rétablira d’elle-même.',
      'database away':
        'Démarre PostgreSQL et vérifie DATABASE_URL. Le journal du serveur indique pourquoi elle est injoignable.',
      'object_store full':
        'Les téléversements sont refusés. Libère de l’espace là où sont les fichiers, ou supprimes-en d’anciens.',
      'object_store away':
        'Démarre le stockage S3 et vérifie S3_ENDPOINT et ses clés. Lance bun run doctor pour les détails.',
      'disk full':
        'Libère de l’espace dans DATA_DIR : les téléversements sont refusés, et bientôt les messages le seront.',
      'disk low': 'Libère bientôt de l’espace dans DATA_DIR, ou garde moins de sauvegardes (BACKUP_KEEP).',
      'disk unknown': 'L’espace libre de DATA_DIR ne peut pas être mesuré : surveille-le autrement.',
      'bus away': 'Démarre Redis et vérifie REDIS_URL. D’ici là, les processus se joignent plus lentement.',
      'backup none': 'Fais une sauvegarde et règle BACKUP_EVERY=24h pour que le serveur en fasse une chaque jour.',
      'backup old': 'La dernière sauvegarde a plus de deux jours. Règle BACKUP_EVERY=24h ou fais-en une maintenant.',
      'backup failed': 'La dernière sauvegarde a échoué. La page « Sauvegardes » indique pourquoi.',
      'retention overdue':
        'Les anciens messages ne sont pas supprimés assez vite. Lance bun run doctor pour les détails.',
      'mail away':
        'Aucun e-mail ne part : les liens de réinitialisation de mot de passe n’arrivent pas. Vérifie ' +
        'SMTP_URL ; lance bun run doctor pour les détails.',
      'mail delayed':
        'Des e-mails attendent : le serveur SMTP ne les a pas acceptés. Le journal du serveur indique pourquoi.',
      identity_provider:
        'Personne ne peut s’en servir pour se connecter. Vérifie OIDC_ISSUER ; lance bun run doctor pour les détails.',
      turn: 'Sans relais, les appels entre certains réseaux échouent. Vérifie TURN_PORT et le pare-feu.',
      sfu:
        'Les grands appels ont besoin du serveur de médias. Lance bun run media ou consulte le journal du ' +
        'serveur.',
      'proxy silent':
        'Le proxy n’envoie pas X-Forwarded-For : tous les clients partagent une seule limite. Voir ' +
        'docs/install.md.',
      'proxy untrusted': 'Ajoute l’adresse du proxy à TRUSTED_PROXIES pour pouvoir distinguer les clients.',
    },
  },
  accounts: {
    search: 'Identifiant, nom ou adresse e-mail',
    find: 'Rechercher',
    onlySuspended: 'Comptes suspendus seulement',
    none: 'Aucun compte trouvé.',
    show: 'Ouvrir',
    open: (name) => `Ouvrir ${name}`,
    operator: 'Opérateur',
    suspended: 'Suspendu',
    list: 'Tous les comptes',
    facts: {
      id: 'Identifiant',
      email: 'E-mail',
      display_name: 'Nom affiché',
      created_at: 'Inscrit',
      active_at: 'Dernière utilisation',
      suspended_at: 'Suspendu',
      suspended_reason: 'Raison',
      deleted_at: 'Supprimé',
      operator_since: 'Opérateur depuis',
      messages: 'Messages',
      direct_messages: 'Messages privés',
      friends_and_requests: 'Amis et demandes',
      files: 'Fichiers',
      stored_bytes: 'Stocké',
    },
    sessions: (n) => `Sessions (${n})`,
    servers: (n) => `Serveurs (${n})`,
    owner: 'propriétaire',
    lastUsed: (time) => `dernière utilisation ${time}`,
    end: 'Terminer',
    endText: 'Cette session est immédiatement déconnectée.',
    endAll: 'Terminer toutes les sessions',
    endAllText: 'Le compte est immédiatement déconnecté partout.',
    suspend: 'Suspendre',
    suspendText:
      'Toutes ses sessions prennent fin, et le compte ne peut plus se connecter avant d’être rétabli. Ses messages ' +
      'restent.',
    reason: 'Raison (visible par les opérateurs uniquement)',
    restore: 'Rétablir',
    restoreText: 'Le compte peut de nouveau se connecter.',
    reset: 'Réinitialiser le mot de passe',
    resetText: 'Le compte reçoit un nouveau mot de passe, affiché une seule fois. Toutes ses sessions prennent fin.',
    newPassword: 'Le nouveau mot de passe. Il ne sera plus affiché :',
    resetLink: 'Créer un lien de réinitialisation',
    newLink: 'Avec ce lien, la personne peut choisir un nouveau mot de passe, une fois et dans l’heure :',
    delete: 'Supprimer le compte',
    deleteText:
      'Cela supprime définitivement ses fichiers, adhésions et amis. Ses messages restent, sous « Compte supprimé ».',
    onlyCommandLine: 'Ce compte est opérateur. Il ne se modifie que depuis la ligne de commande.',
  },
  servers: {
    search: 'Identifiant ou nom',
    none: 'Aucun serveur trouvé.',
    line: (owner, members, channels) => {
      const people = count(members, '# membre', '# de membres', '# membres')
      const places = count(channels, '# salon', '# de salons', '# salons')
      return `${owner} · ${people} · ${places}`
    },
    delete: 'Supprimer',
    deleteTitle: (name) => `Supprimer ${name}`,
    deleteText: 'Cela supprime définitivement le serveur avec tous ses salons, messages et fichiers.',
  },
  registration: {
    title: 'Qui peut s’inscrire',
    modes: {
      open: 'Tout le monde',
      invite: 'Les personnes invitées',
      closed: 'Personne',
    },
    asConfigured: (mode) => `Comme configuré (${mode})`,
    now: (mode) => `Actuellement : ${mode}`,
    hint: 'Cela peut être plus strict que la variable REGISTRATION, mais pas plus souple.',
    invites: 'Invitations actives',
    none: 'Aucune invitation active.',
    line: (creator, uses) => `de ${creator} · ${uses}`,
    uses: (n, max) => (max === 0 ? `utilisée ${n} fois` : `utilisée ${n} sur ${max}`),
    until: (time) => `jusqu’à ${time}`,
    delete: 'Supprimer',
  },
  storage: {
    data: 'Répertoire des données',
    free: (free, size) => `${free} libres sur ${size}`,
    unknown: 'inconnu',
    database: 'Base de données',
    files: 'Fichiers',
    filesLine: (n, size) => `${count(n, '# fichier', '# de fichiers', '# fichiers')}, ${size}`,
    objects: 'Objets à retirer',
    largest: 'Comptes qui utilisent le plus de stockage',
  },
  backups: {
    now: 'Faire une sauvegarde maintenant',
    begun: 'La sauvegarde a commencé.',
    running: 'Une sauvegarde est en cours.',
    every: (every, keep) =>
      every === 'off'
        ? 'Les sauvegardes automatiques sont désactivées. Règle BACKUP_EVERY pour les activer.'
        : `Le serveur fait une sauvegarde à intervalles de ${every} et en garde ${keep}.`,
    failed: (time, reason) => `La dernière sauvegarde a échoué (${time}) : ${reason}`,
    kinds: {
      manual: 'Manuelle',
      automatic: 'Automatique',
      upgrade: 'Avant une mise à niveau',
    },
    encrypted: 'chiffrée',
    none: 'Pas encore de sauvegardes.',
  },
  log: {
    commandLine: (who) => `${who} (ligne de commande)`,
    account: (id) => `Compte ${id}`,
    none: 'Rien pour l’instant.',
  },
} satisfies typeof operatorWords
