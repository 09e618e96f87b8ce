// Printed from locales/es/security.json. After a change there: bun run words
import type { securityWords } from '../security.ts'
import { count } from './plural.ts'

export default {
  methods: {
    password: 'Usar tu contraseña',
    code: 'Usar tu aplicación de autenticación',
    recovery_code: 'Usar un código de recuperación',
    passkey: 'Usar una llave de acceso',
  },
  fields: {
    password: 'Contraseña',
    code: 'Código de tu aplicación de autenticación',
    recovery_code: 'Código de recuperación',
  },
  problems: {
    invalid_code: 'Este código es incorrecto, ha caducado o ya se usó. Espera al siguiente.',
    login_expired: 'Ha tardado demasiado, o ha habido demasiados intentos. Inicia sesión de nuevo.',
    invalid_credentials: 'Contraseña incorrecta.',
  },
  recoveryHint: 'Uno de los diez códigos que guardaste. Cada uno vale una vez.',
  second: {
    title: 'Un paso más',
    text: 'Confirma que eres tú.',
    login: 'Iniciar sesión',
    back: 'Atrás',
  },
  proof: {
    title: 'Confirma que eres tú',
    text: 'Esto cambia quién puede entrar en tu cuenta. No se te volverá a preguntar en diez minutos.',
    go: 'Continuar',
    none: 'Aquí no tienes forma de confirmar tu identidad. Pide al operador de este servidor un enlace para restablecer la contraseña.',
  },
  notThere: 'No se ha usado ninguna llave de acceso: lo has cancelado, o no hay ninguna para este sitio.',
  app: {
    title: 'Aplicación de autenticación',
    off: 'Para iniciar sesión hará falta también un código de una aplicación de tu teléfono.',
    since: (time) => `Activada desde ${time}. Para iniciar sesión hace falta un código de tu aplicación.`,
    left: (n) =>
      count(
        n,
        'Queda # código de recuperación',
        'Quedan # de códigos de recuperación',
        'Quedan # códigos de recuperación',
      ),
    setUp: 'Configurar',
    turnOff: 'Desactivar',
    turnOffText: 'Solo necesitarás tu contraseña para iniciar sesión. Tus códigos de recuperación dejan de funcionar.',
    isOff: 'La aplicación de autenticación está desactivada',
    newCodes: 'Códigos de recuperación nuevos',
    scan: 'Escanea esto con tu aplicación de autenticación.',
    picture: 'Código QR para la aplicación de autenticación',
    type: 'O escribe esta clave en ella:',
    confirm: 'Después escribe el código que muestra',
    turnOn: 'Activar',
  },
  codes: {
    title: 'Tus códigos de recuperación',
    text: 'Guárdalos ahora: solo se muestran una vez. Cada código vale una vez, cuando no tengas la aplicación. Los códigos anteriores ya no funcionan.',
    file: 'parley-codigos-de-recuperacion.txt',
    heading: ({ name, host }) => `Códigos de recuperación de ${name} en ${host}`,
    download: 'Descargar',
    saved: 'Los he guardado',
  },
  passkeys: {
    title: 'Llaves de acceso',
    text: 'Inicia sesión con tu huella, tu cara, un PIN o una llave de seguridad, sin contraseña.',
    add: 'Añadir una llave de acceso',
    added: (time) => `añadida ${time}`,
    used: (time) => `último uso ${time}`,
    name: 'Nombre',
    nameHint: 'Para reconocerla después, por ejemplo «Teléfono».',
    rename: 'Cambiar nombre',
    renameOf: (name) => `Cambiar el nombre de ${name}`,
    remove: 'Quitar',
    removeOf: (name) => `Quitar ${name}`,
    removeText: (name) => `${name} ya no te dejará entrar aquí.`,
  },
  files: {
    title: 'Archivos de esta aplicación',
    text: 'Este navegador puede conservar los archivos de esta aplicación y preguntarte antes de tomar otros del servidor. Compara su hash con el de una versión publicada.',
    pin: 'Rechazar archivos cambiados',
    kept: ({ version, date }) => `Versión ${version}, conservada desde el ${date}`,
    hash: 'Hash de tus archivos',
    limits:
      'Esto detecta archivos cambiados por error o por otra persona. El operador del servidor puede eludirlo: los navegadores sustituyen sin preguntar la parte que comprueba los archivos.',
    noWorker: 'Este navegador no puede conservar los archivos de esta página.',
    question: 'El servidor tiene otros archivos',
    questionText: ({ version, next }) =>
      `Usas la versión ${version}. El servidor dice que sus archivos son de la versión ${next}. Acéptalos solo si su hash es el de la versión publicada.`,
    next: 'Hash de los archivos nuevos',
    take: 'Aceptar los archivos nuevos',
    keep: 'Conservar mis archivos',
    problems: {
      mismatch: 'Un archivo del servidor no es el que indica su lista. Tus archivos quedan como están.',
      incomplete: 'No se pudieron cargar todos los archivos. Tus archivos quedan como están.',
    },
    refused: 'El servidor envió un archivo cambiado de esta aplicación. Se rechazó.',
    unlisted:
      'El servidor ha cambiado la parte de esta aplicación que comprueba sus archivos, pero su lista no ha cambiado. Compara los archivos con la versión publicada antes de recargar esta página.',
  },
} satisfies typeof securityWords
