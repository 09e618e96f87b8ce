import type { operatorWords } from '../operator.ts'
import { count } from './plural.ts'

export default {
  title: 'Betrieb',
  back: 'Zurück zu Parley',
  sections: {
    figures: 'Zahlen',
    health: 'Zustand',
    accounts: 'Konten',
    servers: 'Server',
    registration: 'Registrierung',
    storage: 'Speicher',
    backups: 'Sicherungen',
    log: 'Protokoll',
  },
  nothing: 'Diese Seite gibt es nicht.',
  proof: {
    title: 'Bist du es?',
    text: 'Zeig, dass du es bist. Diese Seite bleibt dann zehn Minuten offen.',
  },
  problems: {
    forbidden: 'Über Betreiberkonten entscheidet nur die Kommandozeile: bun run admin.',
    owns_servers: 'Dieses Konto besitzt Server. Lösche sie zuerst oder lass sie übergeben.',
    backup_running: 'Eine Sicherung läuft schon.',
    not_found: 'Das ist nicht mehr da.',
  },
  refresh: 'Aktualisieren',
  none: 'Keine',
  figures: {
    span: 'Zeitraum',
    spans: {
      hour: 'Letzte Stunde',
      day: 'Letzter Tag',
      month: 'Letzte 30 Tage',
    },
    now: (value, most) => `jetzt ${value}, höchstens ${most}`,
    empty: 'Die ersten Zahlen kommen innerhalb einer Minute.',
    charts: {
      sockets: 'Offene Verbindungen',
      requests: 'Anfragen',
      failures: 'Fehlgeschlagene Anfragen',
      messages: 'Gesendete Nachrichten',
      lag_ms: 'Längste Verzögerung des Servers (ms)',
      memory_bytes: 'Arbeitsspeicher',
      accounts: 'Konten',
      database_bytes: 'Größe der Datenbank',
      free_bytes: 'Freier Platz',
    },
    totals: {
      version: 'Version',
      schema_version: 'Schema',
      running_servers: 'Prozesse',
      accounts: 'Konten',
      accounts_active_last_day: 'Am letzten Tag aktiv',
      suspended_accounts: 'Gesperrt',
      sessions: 'Sitzungen',
      servers: 'Server',
      channels: 'Kanäle',
      messages: 'Nachrichten',
      direct_messages: 'Direktnachrichten',
      files: 'Dateien',
      file_bytes: 'Größe der Dateien',
      objects_to_remove: 'Zu entfernende Objekte',
      events: 'Ereignisse im Protokoll',
      event_bytes: 'Größe des Ereignisprotokolls',
      database_bytes: 'Größe der Datenbank',
    },
  },
  health: {
    levels: {
      ok: 'In Ordnung',
      warning: 'Bitte ansehen',
      error: 'Funktioniert nicht',
    },
    parts: {
      database: 'Datenbank',
      object_store: 'Dateispeicher',
      disk: 'Festplatte',
      bus: 'Verbindung zwischen Prozessen',
      backup: 'Sicherungen',
      retention: 'Löschen alter Nachrichten',
      mail: 'E-Mail',
      identity_provider: 'Single Sign-on',
      turn: 'Relay für Anrufe',
      sfu: 'Medienserver für Anrufe',
      proxy: 'Reverse Proxy',
    },
    advice: {
      'database full':
        'Neue Nachrichten und Dateien werden abgelehnt. Schaffe Platz auf der Festplatte der Datenbank: ' +
        'Sie erholt sich dann von selbst.',
      'database away':
        'Starte PostgreSQL und prüfe DATABASE_URL. Das Protokoll des Servers sagt, warum sie nicht ' +
        'erreichbar ist.',
      'object_store full': 'Uploads werden abgelehnt. Schaffe Platz, wo die Dateien liegen, oder lösche alte.',
      'object_store away':
        'Starte den S3-Speicher und prüfe S3_ENDPOINT und seine Schlüssel. bun run doctor sagt mehr.',
      'disk full': 'Schaffe Platz in DATA_DIR: Uploads werden abgelehnt und bald auch Nachrichten.',
      'disk low': 'Schaffe bald Platz in DATA_DIR oder behalte weniger Sicherungen (BACKUP_KEEP).',
      'disk unknown': 'Der freie Platz in DATA_DIR lässt sich nicht messen: Beobachte ihn auf andere Weise.',
      'bus away': 'Starte Redis und prüfe REDIS_URL. Bis dahin erreichen Prozesse einander langsamer.',
      'backup none': 'Erstelle eine Sicherung und setze BACKUP_EVERY=24h, damit der Server jeden Tag eine macht.',
      'backup old': 'Die letzte Sicherung ist älter als zwei Tage. Setze BACKUP_EVERY=24h oder mach jetzt eine.',
      'backup failed': 'Die letzte Sicherung ist fehlgeschlagen. Die Seite Sicherungen sagt, warum.',
      'retention overdue': 'Alte Nachrichten werden langsamer gelöscht, als sie kommen. bun run doctor sagt mehr.',
      'mail away':
        'Es geht keine E-Mail hinaus: Links für vergessene Passwörter kommen nicht an. Prüfe SMTP_URL; ' +
        'bun run doctor sagt mehr.',
      'mail delayed':
        'E-Mails warten: Der SMTP-Server hat sie nicht angenommen. Das Protokoll des Servers sagt, warum.',
      identity_provider: 'Niemand kann sich jetzt darüber anmelden. Prüfe OIDC_ISSUER; bun run doctor sagt mehr.',
      turn: 'Anrufe zwischen manchen Netzen scheitern ohne Relay. Prüfe TURN_PORT und die Firewall.',
      sfu: 'Große Anrufe brauchen den Medienserver. Führe bun run media aus oder sieh ins Protokoll des Servers.',
      'proxy silent':
        'Der Proxy sendet kein X-Forwarded-For, daher teilen sich alle Clients ein Anfragelimit. ' +
        'docs/install.md zeigt, wie es geht.',
      'proxy untrusted': 'Nenne die Adresse des Proxys in TRUSTED_PROXIES, damit Clients unterschieden werden.',
    },
  },
  accounts: {
    search: 'Id, Name oder E-Mail-Adresse',
    find: 'Suchen',
    onlySuspended: 'Nur gesperrte Konten',
    none: 'Kein Konto.',
    show: 'Öffnen',
    open: (name) => `${name} öffnen`,
    operator: 'Betreiber',
    suspended: 'Gesperrt',
    list: 'Alle Konten',
    facts: {
      id: 'Id',
      email: 'E-Mail',
      display_name: 'Anzeigename',
      created_at: 'Registriert',
      active_at: 'Zuletzt verwendet',
      suspended_at: 'Gesperrt',
      suspended_reason: 'Grund',
      deleted_at: 'Gelöscht',
      operator_since: 'Betreiber seit',
      messages: 'Nachrichten',
      direct_messages: 'Direktnachrichten',
      friends_and_requests: 'Freunde und Anfragen',
      files: 'Dateien',
      stored_bytes: 'Gespeichert',
    },
    sessions: (n) => `Sitzungen (${n})`,
    servers: (n) => `Server (${n})`,
    owner: 'Eigentümer',
    lastUsed: (time) => `zuletzt verwendet ${time}`,
    end: 'Beenden',
    endText: 'Diese Sitzung wird sofort abgemeldet.',
    endAll: 'Alle Sitzungen beenden',
    endAllText: 'Es wird überall sofort abgemeldet.',
    suspend: 'Sperren',
    suspendText:
      'Alle seine Sitzungen enden, und es kann sich nicht anmelden, bis es freigegeben wird. Was es ' +
      'geschrieben hat, bleibt.',
    reason: 'Grund (nur Betreiber sehen ihn)',
    restore: 'Freigeben',
    restoreText: 'Es darf sich wieder anmelden.',
    reset: 'Passwort zurücksetzen',
    resetText: 'Es bekommt ein neues Passwort, das einmal gezeigt wird, und alle seine Sitzungen enden.',
    newPassword: 'Das neue Passwort. Es wird nicht noch einmal gezeigt:',
    resetLink: 'Link zum Zurücksetzen erstellen',
    newLink: 'Mit diesem Link wählt die Person ein neues Passwort, einmal und innerhalb einer Stunde:',
    delete: 'Konto löschen',
    deleteText:
      'Für immer: Seine Dateien, Mitgliedschaften und Freunde gehen verloren. Was es geschrieben hat, ' +
      'bleibt, von „Gelöschtes Konto“.',
    onlyCommandLine: 'Dieses Konto ist ein Betreiberkonto: Nur die Kommandozeile ändert es.',
  },
  servers: {
    search: 'Id oder Name',
    none: 'Kein Server.',
    line: (owner, members, channels) => {
      const people = count(members, '# Mitglied', '# Mitglieder')
      const places = count(channels, '# Kanal', '# Kanäle')
      return `${owner} · ${people} · ${places}`
    },
    delete: 'Löschen',
    deleteTitle: (name) => `${name} löschen`,
    deleteText: 'Für immer, mit allen Kanälen, Nachrichten und Dateien.',
  },
  registration: {
    title: 'Wer sich registrieren darf',
    modes: {
      open: 'Alle',
      invite: 'Wer eine Einladung hat',
      closed: 'Niemand',
    },
    asConfigured: (mode) => `Wie konfiguriert (${mode})`,
    now: (mode) => `Jetzt: ${mode}`,
    hint: 'Das kann strenger sein als die Variable REGISTRATION, nicht lockerer.',
    invites: 'Gültige Einladungen',
    none: 'Keine Einladung.',
    line: (creator, uses) => `von ${creator} · ${uses}`,
    uses: (n, max) => (max === 0 ? `${n} verwendet` : `${n} von ${max} verwendet`),
    until: (time) => `bis ${time}`,
    delete: 'Löschen',
  },
  storage: {
    data: 'Datenverzeichnis',
    free: (free, size) => `${free} frei von ${size}`,
    unknown: 'nicht messbar',
    database: 'Datenbank',
    files: 'Dateien',
    filesLine: (n, size) => `${count(n, '# Datei', '# Dateien')}, ${size}`,
    objects: 'Zu entfernende Objekte',
    largest: 'Konten, die am meisten speichern',
  },
  backups: {
    now: 'Jetzt eine Sicherung erstellen',
    begun: 'Die Sicherung hat begonnen.',
    running: 'Eine Sicherung läuft.',
    every: (every, keep) =>
      every === 'off'
        ? 'Der Server macht von selbst keine. Setze BACKUP_EVERY.'
        : `Der Server macht alle ${every} eine und behält ${keep}.`,
    failed: (time, reason) => `Die letzte ist fehlgeschlagen (${time}): ${reason}`,
    kinds: {
      manual: 'Per Befehl',
      automatic: 'Vom Server',
      upgrade: 'Vor einem Upgrade',
    },
    encrypted: 'verschlüsselt',
    none: 'Es gibt keine Sicherung.',
  },
  log: {
    commandLine: (who) => `${who} (Kommandozeile)`,
    account: (id) => `Konto ${id}`,
    none: 'Noch nichts.',
  },
} satisfies typeof operatorWords
