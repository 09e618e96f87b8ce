// Printed from locales/es/first-steps.json. After a change there: bun run words
import type { firstWords } from '../first-steps.ts'
import { digits } from '../plural.ts'
import { count } from './plural.ts'

export default {
  templates: {
    friends: {
      title: 'Amigos y familia',
      text: 'Planes, fotos y charlas con unas pocas personas.',
      example: 'La casa del lago',
      channels: [
        {
          name: 'planes',
          topic: 'Nuestros próximos planes, y cuándo',
        },
        {
          name: 'fotos',
          topic: 'Comparte las buenas',
        },
        {
          name: 'Sala de estar',
        },
      ],
    },
    community: {
      title: 'Club o comunidad',
      text: 'Noticias para todos, un sitio para saludar y canales para muchos temas.',
      example: 'Amigos de las aves',
      channels: [
        {
          name: 'noticias',
          topic: 'Lo que todos deberían saber',
        },
        {
          name: 'presentaciones',
          topic: '¿Acabas de llegar? Saluda',
        },
        {
          name: 'preguntas',
          topic: 'Pregunta lo que quieras',
        },
        {
          name: 'Punto de encuentro',
        },
      ],
    },
    team: {
      title: 'Equipo o empresa',
      text: 'Tareas en hilos, decisiones por escrito y reuniones por voz.',
      example: 'Arreglo de la presa',
      channels: [
        {
          name: 'tareas',
          topic: 'Quién hace qué y para cuándo',
        },
        {
          name: 'decisiones',
          topic: 'Qué decidimos, y por qué',
        },
        {
          name: 'café',
          topic: 'Todo menos trabajo',
        },
        {
          name: 'Reunión diaria',
        },
      ],
    },
    gaming: {
      title: 'Juegos',
      text: 'Encuentra jugadores, habla durante la partida y comparte los mejores momentos.',
      example: 'Cazadores nocturnos',
      channels: [
        {
          name: 'noticias',
          topic: 'Actualizaciones y eventos',
        },
        {
          name: 'busco-jugadores',
          topic: 'Quién juega a qué, y cuándo',
        },
        {
          name: 'clips',
          topic: 'Tus mejores momentos',
        },
        {
          name: 'Vestíbulo',
        },
        {
          name: 'Partida',
        },
      ],
    },
    study: {
      title: 'Grupo de estudio',
      text: 'Pide ayuda, comparte apuntes y estudia en compañía.',
      example: 'Álgebra II',
      channels: [
        {
          name: 'noticias',
          topic: 'Fechas y anuncios',
        },
        {
          name: 'tareas',
          topic: 'Pide ayuda, da ayuda',
        },
        {
          name: 'apuntes',
          topic: 'Resúmenes y enlaces',
        },
        {
          name: 'Sala de estudio',
        },
      ],
    },
    project: {
      title: 'Proyecto de código abierto',
      text: 'Anuncia versiones, ayuda a usuarios y habla del código.',
      example: 'Garza',
      channels: [
        {
          name: 'noticias',
          topic: 'Versiones y anuncios',
        },
        {
          name: 'ayuda',
          topic: 'Preguntas de usuarios',
        },
        {
          name: 'desarrollo',
          topic: 'Código, revisiones y planes',
        },
        {
          name: 'muestras',
          topic: 'Lo que has hecho con él',
        },
        {
          name: 'Reunión',
        },
      ],
    },
  },
  register: {
    title: 'Crea tu cuenta',
    closed: 'El registro está cerrado en este servidor.',
    invited: (server) => `Después te unirás a ${server}.`,
    name: '¿Cómo quieres que te llamen?',
    nameHint: 'Lo ve todo el mundo. Puedes cambiarlo cuando quieras.',
    usernameHint: 'Con él inicias sesión. Nadie más lo ve.',
    nameNotKept: 'Tu cuenta está lista, pero no se ha podido guardar tu nombre. Ponlo otra vez en los ajustes.',
  },
  home: {
    title: (name) => `Hola, ${name}`,
    text: 'Habla en servidores o con amigos. ¿Por dónde quieres empezar?',
    make: 'Crear un servidor',
    makeText: 'Tu propio sitio para la gente que elijas.',
    join: 'Unirse con una invitación',
    joinText: '¿Te han mandado un enlace? Pégalo aquí.',
    link: 'Enlace o código de invitación',
    open: 'Abrir invitación',
    find: 'Buscar a un amigo',
    findText: 'Busca por nombre de usuario o nombre visible.',
  },
  setup: {
    steps: {
      name: 'Nombre',
      picture: 'Imagen',
      channels: 'Canales',
      rules: 'Normas',
      invite: 'Invitar',
    },
    moderators: 'Moderadores',
    power: 'Roles que pueden gestionar',
    file: 'Desde un archivo',
    fileText: 'Una plantilla guardada en los ajustes de otro servidor.',
    fileWrong: 'Este archivo no es una plantilla.',
    rulesTitle: 'Pon unas normas',
    rulesText: 'Los nuevos miembros las aceptan antes de poder escribir.',
    rulesExample: '1. Sé amable.\n2. Nada de spam.',
    progress: 'Pasos',
    whom: '¿Para quién es?',
    next: 'Continuar',
    skip: 'Omitir por ahora',
    pictureTitle: 'Añade una imagen',
    pictureText: 'Una imagen se distingue mejor que un nombre. PNG, JPEG, WebP, GIF o AVIF.',
    channelsTitle: '¿De qué vais a hablar?',
    channelsText: 'Los canales separan los temas. Elige algunos para empezar; puedes cambiarlos cuando quieras.',
    general: 'Ya existe, para todo',
    readOnly: (topic) => `${topic}. Todos pueden leer, solo los moderadores pueden escribir`,
    another: 'Otro canal',
    add: 'Añadir',
    make: (n) => (n === 0 ? 'Continuar' : count(n, 'Crear # canal', 'Crear # de canales', 'Crear # canales')),
    inviteTitle: 'Invita a los primeros miembros',
    inviteText: 'Cualquiera que tenga este enlace puede unirse. Vale una semana.',
    share: 'Compartir…',
    open: (name) => `Abrir ${name}`,
  },
  invite: {
    from: 'te invita a unirte a',
    without: 'Te han invitado a unirte a',
    online: (n) => `${digits(n)} en línea`,
    until: (time) => `Esta invitación vale hasta ${time}.`,
    call: 'Pertenecerás al servidor hasta cinco minutos después de tu última llamada aquí.',
    day: 'Pertenecerás al servidor durante un día.',
    isMember: 'Ya eres miembro.',
    over: 'Esta invitación ya no es válida',
    overText: 'Ha caducado, se ha agotado o se ha revocado. Pide otra a quien te la envió.',
    unknown: 'Invitación no encontrada',
    unknownText: 'Puede que el enlace esté incompleto. Abre otra vez el enlace entero, tal como te lo enviaron.',
    banned: 'No puedes unirte a este servidor',
    bannedText: 'Un moderador te ha baneado.',
    join: 'Unirse al servidor',
    notNow: 'Ahora no',
    back: 'Volver a tus conversaciones',
  },
} satisfies typeof firstWords
