import type { operatorWords } from '../operator.ts'
import { count } from './plural.ts'

export default {
  title: 'Operación',
  back: 'Volver a Parley',
  sections: {
    figures: 'Cifras',
    health: 'Estado',
    accounts: 'Cuentas',
    servers: 'Servidores',
    reports: 'Denuncias',
    registration: 'Registro',
    storage: 'Almacenamiento',
    backups: 'Copias de seguridad',
    log: 'Registro de acciones',
  },
  nothing: 'Página no encontrada.',
  proof: {
    title: 'Confirma que eres tú',
    text: 'Confirma tu identidad para abrir esta página durante diez minutos.',
  },
  problems: {
    forbidden: 'Los operadores solo se pueden cambiar desde la línea de comandos: bun run admin.',
    owns_servers: 'Esta cuenta posee servidores. Elimínalos o cede su propiedad primero.',
    backup_running: 'Ya hay una copia de seguridad en curso.',
    not_found: 'Esto ya no existe.',
  },
  refresh: 'Actualizar',
  none: 'Ninguno',
  figures: {
    span: 'Periodo',
    spans: {
      hour: 'Última hora',
      day: 'Último día',
      month: 'Últimos 30 días',
    },
    now: (value, most) => `ahora ${value}, máximo ${most}`,
    empty: 'Las primeras cifras aparecen en menos de un minuto.',
    charts: {
      sockets: 'Conexiones abiertas',
      requests: 'Peticiones',
      failures: 'Peticiones fallidas',
      messages: 'Mensajes enviados',
      lag_ms: 'Mayor retraso del servidor (ms)',
      memory_bytes: 'Memoria',
      accounts: 'Cuentas',
      database_bytes: 'Tamaño de la base de datos',
      free_bytes: 'Espacio libre',
    },
    totals: {
      version: 'Versión',
      schema_version: 'Esquema',
      running_servers: 'Procesos',
      accounts: 'Cuentas',
      accounts_active_last_day: 'Activas en el último día',
      suspended_accounts: 'Suspendidas',
      sessions: 'Sesiones',
      servers: 'Servidores',
      channels: 'Canales',
      messages: 'Mensajes',
      direct_messages: 'Mensajes directos',
      files: 'Archivos',
      file_bytes: 'Tamaño de los archivos',
      objects_to_remove: 'Objetos por quitar',
      events: 'Eventos del registro',
      event_bytes: 'Tamaño del registro de eventos',
      database_bytes: 'Tamaño de la base de datos',
    },
  },
  health: {
    levels: {
      ok: 'Correcto',
      warning: 'Requiere atención',
      error: 'No funciona',
    },
    states: { off: 'Desactivado', starting: 'Iniciando', building: 'Compilando', restarting: 'Reiniciando' },
    parts: {
      database: 'Base de datos',
      object_store: 'Almacén de archivos',
      disk: 'Disco',
      bus: 'Conexión entre procesos',
      backup: 'Copias de seguridad',
      retention: 'Eliminación de mensajes antiguos',
      mail: 'Correo',
      identity_provider: 'Inicio de sesión único',
      turn: 'Repetidor de llamadas',
      sfu: 'Servidor de medios de llamadas',
      proxy: 'Proxy inverso',
    },
    advice: {
      'database full':
        'Se rechazan mensajes y archivos nuevos. Libera espacio en el disco de la base de datos: después se ' +
        'recupera sola.',
      'database away':
        'Inicia PostgreSQL y comprueba DATABASE_URL. El registro del servidor dice por qué no se puede acceder a él.',
      'object_store full': 'Se rechazan las subidas. Libera espacio donde se guardan los archivos, o elimina antiguos.',
      'object_store away':
        'Inicia el almacén S3 y comprueba S3_ENDPOINT y sus claves. Ejecuta bun run doctor para ver más detalles.',
      'disk full': 'Libera espacio en DATA_DIR: se rechazan las subidas, y pronto también los mensajes.',
      'disk low': 'Libera pronto espacio en DATA_DIR, o guarda menos copias (BACKUP_KEEP).',
      'disk unknown': 'No se puede medir el espacio libre de DATA_DIR: supervísalo de otro modo.',
      'bus away': 'Inicia Redis y comprueba REDIS_URL. Hasta entonces, los procesos se comunican más despacio.',
      'backup none': 'Haz una copia y pon BACKUP_EVERY=24h para que el servidor haga una cada día.',
      'backup old': 'La última copia tiene más de dos días. Pon BACKUP_EVERY=24h, o haz una ahora.',
      'backup failed': 'La última copia falló. La página Copias de seguridad dice por qué.',
      'retention overdue':
        'Los mensajes antiguos no se eliminan lo bastante rápido. Ejecuta bun run doctor para ver más detalles.',
      'mail away':
        'No se envía correo, así que los enlaces para restablecer la contraseña no llegan. Comprueba SMTP_URL; ' +
        'ejecuta bun run doctor para ver más detalles.',
      'mail delayed': 'Hay correo en espera: el servidor SMTP no lo aceptó. El registro del servidor dice por qué.',
      identity_provider:
        'Ahora nadie puede iniciar sesión con él. Comprueba OIDC_ISSUER; ejecuta bun run doctor para ver más detalles.',
      turn: 'Sin el repetidor fallan llamadas entre algunas redes. Comprueba TURN_PORT y el cortafuegos.',
      sfu:
        'Las llamadas grandes necesitan el servidor de medios. Ejecuta bun run media o comprueba el registro del ' +
        'servidor.',
      'proxy silent':
        'El proxy no envía X-Forwarded-For, así que todos los clientes comparten un mismo límite de peticiones. ' +
        'docs/install.md explica cómo configurarlo.',
      'proxy untrusted': 'Añade la dirección del proxy a TRUSTED_PROXIES, para poder distinguir a los clientes.',
    },
  },
  accounts: {
    search: 'Id, nombre o correo',
    find: 'Buscar',
    onlySuspended: 'Solo cuentas suspendidas',
    none: 'No se han encontrado cuentas.',
    show: 'Abrir',
    open: (name) => `Abrir ${name}`,
    operator: 'Operador',
    suspended: 'Suspendida',
    list: 'Todas las cuentas',
    facts: {
      id: 'Id',
      email: 'Correo',
      display_name: 'Nombre visible',
      created_at: 'Registrada',
      active_at: 'Último uso',
      suspended_at: 'Suspendida',
      suspended_reason: 'Motivo',
      deleted_at: 'Eliminada',
      operator_since: 'Operador desde',
      messages: 'Mensajes',
      direct_messages: 'Mensajes directos',
      friends_and_requests: 'Amigos y solicitudes',
      files: 'Archivos',
      stored_bytes: 'Almacenado',
    },
    sessions: (n) => `Sesiones (${n})`,
    servers: (n) => `Servidores (${n})`,
    owner: 'propietario',
    lastUsed: (time) => `último uso ${time}`,
    end: 'Terminar',
    endText: 'Esta sesión se cierra al instante.',
    endAll: 'Terminar todas las sesiones',
    endAllText: 'La sesión de la cuenta se cierra en todas partes al instante.',
    suspend: 'Suspender',
    suspendText:
      'Terminan todas sus sesiones y no puede iniciar otra hasta que se restaure. Sus mensajes se conservan.',
    reason: 'Motivo (solo lo ven los operadores)',
    restore: 'Restaurar',
    restoreText: 'La cuenta puede volver a iniciar sesión.',
    reset: 'Restablecer contraseña',
    resetText: 'La cuenta recibe una contraseña nueva, que se muestra una vez. Terminan todas sus sesiones.',
    newPassword: 'La contraseña nueva. No se volverá a mostrar:',
    resetLink: 'Crear enlace de restablecimiento',
    newLink: 'Con este enlace, el propietario puede elegir una contraseña nueva una vez, en el plazo de una hora:',
    delete: 'Eliminar cuenta',
    deleteText:
      'Esto elimina de forma permanente sus archivos, membresías y amigos. Sus mensajes se conservan, con el nombre ' +
      '«Cuenta eliminada».',
    onlyCommandLine: 'Esta cuenta es de un operador. Solo se puede cambiar desde la línea de comandos.',
  },
  servers: {
    search: 'Id o nombre',
    none: 'No se han encontrado servidores.',
    line: (owner, members, channels) => {
      const people = count(members, '# miembro', '# de miembros', '# miembros')
      const places = count(channels, '# canal', '# de canales', '# canales')
      return `${owner} · ${people} · ${places}`
    },
    delete: 'Eliminar',
    deleteTitle: (name) => `Eliminar ${name}`,
    deleteText: 'Esto elimina de forma permanente el servidor con todos sus canales, mensajes y archivos.',
  },
  registration: {
    title: 'Quién puede registrarse',
    modes: {
      open: 'Todos',
      invite: 'Personas con una invitación',
      closed: 'Nadie',
    },
    asConfigured: (mode) => `Según la configuración (${mode})`,
    now: (mode) => `Ahora: ${mode}`,
    hint: 'Puede ser más estricto que la variable REGISTRATION, pero no menos.',
    invites: 'Invitaciones activas',
    none: 'No hay invitaciones activas.',
    line: (creator, uses) => `de ${creator} · ${uses}`,
    uses: (n, max) => (max === 0 ? count(n, '# uso', '# de usos', '# usos') : `${n} de ${max} usos`),
    until: (time) => `hasta ${time}`,
    delete: 'Eliminar',
  },
  storage: {
    data: 'Directorio de datos',
    free: (free, size) => `${free} libres de ${size}`,
    unknown: 'desconocido',
    database: 'Base de datos',
    files: 'Archivos',
    filesLine: (n, size) => `${count(n, '# archivo', '# de archivos', '# archivos')}, ${size}`,
    objects: 'Objetos por quitar',
    largest: 'Cuentas que más almacenamiento usan',
  },
  backups: {
    now: 'Hacer una copia ahora',
    begun: 'La copia ha empezado.',
    running: 'Hay una copia en curso.',
    every: (every, keep) =>
      every === 'off'
        ? 'Las copias automáticas están desactivadas. Define BACKUP_EVERY para activarlas.'
        : `El servidor hace una copia cada ${every} y guarda ${keep}.`,
    failed: (time, reason) => `La última copia falló (${time}): ${reason}`,
    kinds: {
      manual: 'Manual',
      automatic: 'Automática',
      upgrade: 'Antes de una actualización',
    },
    encrypted: 'cifrada',
    none: 'Aún no hay copias de seguridad.',
  },
  log: {
    commandLine: (who) => `${who} (línea de comandos)`,
    account: (id) => `Cuenta ${id}`,
    none: 'Nada todavía.',
  },
} satisfies typeof operatorWords
