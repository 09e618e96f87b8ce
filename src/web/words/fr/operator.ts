import type { operatorWords } from '../operator.ts'
import { count } from './plural.ts'

export default {
  title: 'Exploitation',
  back: 'Retour à Parley',
  sections: {
    figures: 'Chiffres',
    health: 'État',
    accounts: 'Comptes',
    servers: 'Serveurs',
    registration: 'Inscription',
    storage: 'Stockage',
    backups: 'Sauvegardes',
    log: 'Journal',
  },
  nothing: 'Cette page n’existe pas.',
  proof: {
    title: 'C’est bien toi ?',
    text: 'Montre que c’est toi. Cette page reste ensuite ouverte dix minutes.',
  },
  problems: {
    forbidden: 'Seule la ligne de commande agit sur les comptes d’exploitation : bun run admin.',
    owns_servers: 'Ce compte possède des serveurs. Supprime-les d’abord, ou fais-les transférer.',
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
    now: (value, most) => `maintenant ${value}, au plus ${most}`,
    empty: 'Les premiers chiffres arrivent d’ici une minute.',
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
      ok: 'En ordre',
      warning: 'À regarder',
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
        'Les nouveaux messages et fichiers sont refusés. Libère de l’espace sur le disque de la base : ' +
        'elle se rétablit alors d’elle-même.',
      'database away':
        'Démarre PostgreSQL et vérifie DATABASE_URL. Le journal du serveur dit pourquoi elle est absente.',
      'object_store full':
        'Les téléversements sont refusés. Libère de l’espace là où sont les fichiers, ou supprimes-en d’anciens.',
      'object_store away': 'Démarre le stockage S3 et vérifie S3_ENDPOINT et ses clés. bun run doctor en dit plus.',
      'disk full': 'Libère de l’espace dans DATA_DIR : les téléversements sont refusés, et bientôt les messages.',
      'disk low': 'Libère bientôt de l’espace dans DATA_DIR, ou garde moins de sauvegardes (BACKUP_KEEP).',
      'disk unknown': 'L’espace libre de DATA_DIR ne peut pas être mesuré : surveille-le autrement.',
      'bus away': 'Démarre Redis et vérifie REDIS_URL. D’ici là, les processus se joignent plus lentement.',
      'backup none': 'Fais une sauvegarde et règle BACKUP_EVERY=24h pour que le serveur en fasse une chaque jour.',
      'backup old': 'La dernière sauvegarde a plus de deux jours. Règle BACKUP_EVERY=24h ou fais-en une maintenant.',
      'backup failed': 'La dernière sauvegarde a échoué. La page Sauvegardes dit pourquoi.',
      'retention overdue':
        'Les anciens messages sont supprimés moins vite qu’ils n’arrivent. bun run doctor en dit plus.',
      'mail away':
        'Aucun e-mail ne part : les liens pour un mot de passe oublié n’arrivent pas. Vérifie SMTP_URL ; ' +
        'bun run doctor en dit plus.',
      'mail delayed': 'Des e-mails attendent : le serveur SMTP ne les a pas pris. Le journal du serveur dit pourquoi.',
      identity_provider:
        'Personne ne peut s’en servir pour se connecter. Vérifie OIDC_ISSUER ; bun run doctor en dit plus.',
      turn: 'Sans relais, les appels entre certains réseaux échouent. Vérifie TURN_PORT et le pare-feu.',
      sfu:
        'Les grands appels ont besoin du serveur de médias. Lance bun run media ou consulte le journal du ' +
        'serveur.',
      'proxy silent':
        'Le proxy n’envoie pas X-Forwarded-For : tous les clients partagent une seule limite. Voir ' +
        'docs/install.md.',
      'proxy untrusted': 'Nomme l’adresse du proxy dans TRUSTED_PROXIES pour distinguer les clients.',
    },
  },
  accounts: {
    search: 'Identifiant, nom ou adresse e-mail',
    find: 'Rechercher',
    onlySuspended: 'Comptes suspendus seulement',
    none: 'Aucun compte.',
    show: 'Ouvrir',
    open: (name) => `Ouvrir ${name}`,
    operator: 'Exploitation',
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
      operator_since: 'Exploitation depuis',
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
    endText: 'Cette session est déconnectée aussitôt.',
    endAll: 'Terminer toutes les sessions',
    endAllText: 'Il est déconnecté partout, aussitôt.',
    suspend: 'Suspendre',
    suspendText:
      'Toutes ses sessions prennent fin et il ne peut plus se connecter avant d’être rétabli. Ce qu’il a ' +
      'écrit reste.',
    reason: 'Raison (visible pour l’exploitation seulement)',
    restore: 'Rétablir',
    restoreText: 'Il peut de nouveau se connecter.',
    reset: 'Réinitialiser le mot de passe',
    resetText: 'Il reçoit un nouveau mot de passe, montré une fois, et toutes ses sessions prennent fin.',
    newPassword: 'Le nouveau mot de passe. Il ne sera plus montré :',
    resetLink: 'Créer un lien de réinitialisation',
    newLink: 'Par ce lien, la personne choisit un nouveau mot de passe, une fois et dans l’heure :',
    delete: 'Supprimer le compte',
    deleteText:
      'Définitivement : ses fichiers, adhésions et amis disparaissent. Ce qu’il a écrit reste, sous « ' +
      'Compte supprimé ».',
    onlyCommandLine: 'Ce compte est un compte d’exploitation : seule la ligne de commande agit sur lui.',
  },
  servers: {
    search: 'Identifiant ou nom',
    none: 'Aucun serveur.',
    line: (owner, members, channels) => {
      const people = count(members, '# membre', '# de membres', '# membres')
      const places = count(channels, '# salon', '# de salons', '# salons')
      return `${owner} · ${people} · ${places}`
    },
    delete: 'Supprimer',
    deleteTitle: (name) => `Supprimer ${name}`,
    deleteText: 'Définitivement, avec tous ses salons, messages et fichiers.',
  },
  registration: {
    title: 'Qui peut s’inscrire',
    modes: {
      open: 'Tout le monde',
      invite: 'Les porteurs d’une invitation',
      closed: 'Personne',
    },
    asConfigured: (mode) => `Comme configuré (${mode})`,
    now: (mode) => `Actuellement : ${mode}`,
    hint: 'Cela peut être plus strict que la variable REGISTRATION, pas plus large.',
    invites: 'Invitations valables',
    none: 'Aucune invitation.',
    line: (creator, uses) => `de ${creator} · ${uses}`,
    uses: (n, max) => (max === 0 ? `utilisée ${n} fois` : `utilisée ${n} sur ${max}`),
    until: (time) => `jusqu’à ${time}`,
    delete: 'Supprimer',
  },
  storage: {
    data: 'Répertoire des données',
    free: (free, size) => `${free} libres sur ${size}`,
    unknown: 'non mesurable',
    database: 'Base de données',
    files: 'Fichiers',
    filesLine: (n, size) => `${count(n, '# fichier', '# de fichiers', '# fichiers')}, ${size}`,
    objects: 'Objets à retirer',
    largest: 'Comptes qui stockent le plus',
  },
  backups: {
    now: 'Faire une sauvegarde maintenant',
    begun: 'La sauvegarde a commencé.',
    running: 'Une sauvegarde est en cours.',
    every: (every, keep) =>
      every === 'off'
        ? 'Le serveur n’en fait pas de lui-même. Règle BACKUP_EVERY.'
        : `Le serveur en fait une toutes les ${every} et en garde ${keep}.`,
    failed: (time, reason) => `La dernière a échoué (${time}) : ${reason}`,
    kinds: {
      manual: 'Par commande',
      automatic: 'Par le serveur',
      upgrade: 'Avant une mise à niveau',
    },
    encrypted: 'chiffrée',
    none: 'Il n’y a aucune sauvegarde.',
  },
  log: {
    commandLine: (who) => `${who} (ligne de commande)`,
    account: (id) => `Compte ${id}`,
    none: 'Rien pour l’instant.',
  },
} satisfies typeof operatorWords
