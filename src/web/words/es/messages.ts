import type { messageWords } from '../messages.ts'
import { listOf, spanOf } from '../plural.ts'
import { count } from './plural.ts'

export default {
  messages: {
    list: (place) => `Mensajes en ${place}`,
    beginnings: {
      channel: 'Aquí empieza el canal. Di para qué sirve e invita a gente.',
      dm: 'Aquí empieza vuestra conversación. No hay nadie más en ella.',
      group: 'Aquí empieza el grupo. Quienes se añadan después pueden ver todos los mensajes.',
      thread: 'Aquí empieza el hilo. Empiezas a seguirlo cuando escribes en él.',
    },
    one: 'mensaje',
    spoiler: 'Mostrar spoiler',
    copyCode: 'Copiar código',
    codeCopied: 'Código copiado.',
    commands: 'Comandos de bots',
    copyText: 'Copiar texto',
    textCopied: 'Texto copiado.',
    link: 'Copiar enlace al mensaje',
    linked: 'Enlace copiado.',
    fromBlocked: 'Un mensaje de alguien a quien has bloqueado.',
    show: 'Mostrar mensaje',
    new: 'Nuevo',
    newAbove: 'Mensajes nuevos arriba',
    toNewest: 'Ir a los mensajes más recientes',
    failed: 'No se han podido cargar estos mensajes.',
    edited: '(editado)',
    imported: 'importado',
    sending: 'enviando…',
    refused: 'No enviado:',
    retry: 'Reintentar',
    withoutReply: 'Enviar sin la respuesta',
    giveUp: 'Eliminar',
    keys: {
      reply: 'Responder',
      react: 'Añadir una reacción',
      thread: 'Empezar un hilo',
      edit: 'Editar tu mensaje',
      pin: 'Fijar o dejar de fijar',
      forward: 'Reenviar',
      'mark-unread': 'Marcar como no leído desde aquí',
      delete: 'Eliminar mensaje',
    },
    actions: 'Acciones del mensaje',
    more: 'Más acciones',
    reply: 'Responder',
    replyTo: 'Respondiendo a',
    gone: 'El mensaje original se eliminó',
    edit: 'Editar mensaje',
    editHint: 'Intro guarda, Escape cancela',
    delete: 'Eliminar mensaje',
    discard: '¿Descartar tus cambios?',
    discardText: 'El mensaje se queda como estaba.',
    discardEdit: 'Descartar cambios',
    select: 'Seleccionar mensajes',
    selectThis: 'Seleccionar este mensaje',
    selected: (n) => count(n, '# mensaje seleccionado', '# de mensajes seleccionados', '# mensajes seleccionados'),
    deleteSelected: (n) => count(n, 'Eliminar # mensaje', 'Eliminar # de mensajes', 'Eliminar # mensajes'),
    deleteText: 'Esto elimina el mensaje y sus archivos para todos.',
    deleteAllText: 'Esto elimina los mensajes y sus archivos para todos.',
    hidePreviews: 'Quitar vistas previas',
    hidePreviewsText: 'Los enlaces se quedan. Sus vistas previas desaparecen para todos.',
    showPreviews: 'Mostrar vistas previas',
    previews: 'Vistas previas de enlaces',
    leave: {
      title: '¿Abrir este enlace?',
      text: (label: string, host: string) => `El enlace «${label}» lleva a ${host}.`,
      forever: (host: string) => `No volver a preguntar por ${host}`,
      open: 'Abrir enlace',
    },
    openPicture: (host) => `Imagen de ${host}`,
    video: 'Vídeo',
    webhook: 'Webhook',
  },
  notices: {
    raid_alert: (n) =>
      `Modo asalto: muchas cuentas entraron a la vez. ${n} están en cuarentena y nadie más puede unirse.`,
    automod_alert: (who, rule, n, place) =>
      place === undefined
        ? `AutoMod: ${who} infringió la regla «${rule}» (${n}×).`
        : `AutoMod: ${who} infringió la regla «${rule}» en ${place} (${n}×).`,
    shortCall: (who) => `${who} empezó una llamada que duró menos de un minuto.`,
    call: (who, seconds) => `${who} empezó una llamada. Duración: ${spanOf(seconds)}.`,
    missed: (who) => `Has perdido una llamada de ${who}.`,
    unanswered: 'Nadie contestó a tu llamada.',
    recipient_added: (who, target) => `${who} añadió a ${target} al grupo.`,
    recipient_removed: (who, target) => `${who} quitó a ${target} del grupo.`,
    left: (who) => `${who} salió del grupo.`,
    renamed: (who, name) => `${who} llamó al grupo ${name}.`,
    unnamed: (who) => `${who} quitó el nombre del grupo.`,
    member_joined: (who) => `${who} se unió al servidor.`,
    pinned: (who) => `${who} fijó un mensaje.`,
    thread_created: (who, name) => `${who} empezó el hilo ${name}.`,
  },
  retention: {
    pruned: 'Los mensajes más antiguos se han eliminado.',
    messages: (n) =>
      count(
        n,
        'Los mensajes se eliminan tras # día.',
        'Los mensajes se eliminan tras # de días.',
        'Los mensajes se eliminan tras # días.',
      ),
    files: (n) =>
      count(
        n,
        'Los archivos se eliminan tras # día.',
        'Los archivos se eliminan tras # de días.',
        'Los archivos se eliminan tras # días.',
      ),
  },
  forward: {
    title: 'Reenviar',
    forwarded: 'Reenviado',
    original: 'Ir al original',
  },
  composer: {
    to: (place) => `Mensaje a ${place}`,
    send: 'Enviar',
    record: 'Grabar un mensaje de voz',
    mention: 'Personas para mencionar',
    replyMention: (name) => `Mencionar a ${name} en la respuesta`,
    mentionOn: '@ sí',
    mentionOff: '@ no',
    mayNot: 'No tienes permiso para enviar mensajes aquí.',
    timedOut: (time) => `Estás en aislamiento hasta ${time}. Puedes leer, pero no escribir.`,
    heldBack: {
      pending: 'Acepta las normas de este servidor para escribir aquí.',
      unverified: 'Aún no estás verificado en este servidor. Puedes leer, pero no escribir.',
      quarantined:
        'Estás en cuarentena en este servidor. Puedes leer, pero no escribir, hasta que un moderador te deje entrar.',
    },
    blocked: 'Has bloqueado a esta persona. Desbloquéala para escribir.',
  },
  files: {
    add: 'Añadir archivos',
    drop: 'Suelta archivos aquí',
    tooMany: (n) => {
      const many = count(n, 'Se ha omitido # archivo', 'Se han omitido # de archivos', 'Se han omitido # archivos')
      return `Un mensaje puede llevar hasta 10 archivos. ${many}.`
    },
    waiting: 'Este mensaje se enviará cuando se suban sus archivos.',
    unnamed: 'archivo',
    interrupted: 'La subida se ha interrumpido.',
    open: (name) => `Abrir ${name}`,
    remove: (name) => `Quitar ${name}`,
    progress: (name) => `Subiendo ${name}`,
    download: 'Descargar',
    downloadOne: (name) => `Descargar ${name}`,
    spoiler: 'Spoiler',
    reveal: 'Mostrar archivo con spoiler',
    mark: (name) => `Marcar ${name} como spoiler`,
    count: (n) => count(n, '# archivo', '# de archivos', '# archivos'),
  },
  direct: {
    list: 'Mensajes directos',
    none: 'Aquí aparecen tus conversaciones con personas y grupos.',
    begin: 'Empezar una conversación',
    cannot: 'Esta persona no acepta mensajes tuyos.',
    hide: (name) => `Ocultar la conversación con ${name}`,
    write: (name) => `Escribir a ${name}`,
    read: 'Leído',
  },
  groups: {
    new: 'Nueva conversación',
    add: 'Añadir personas',
    settings: 'Ajustes del grupo',
    people: (n) => count(n, '# persona', '# de personas', '# personas'),
  },
  typing: (names) =>
    names.length > 3
      ? 'Varias personas están escribiendo…'
      : names.length === 1
        ? `${listOf(names)} está escribiendo…`
        : `${listOf(names)} están escribiendo…`,
} satisfies typeof messageWords
