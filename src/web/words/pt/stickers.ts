// Printed from locales/pt/stickers.json. After a change there: bun run words
import type { stickerWords } from '../stickers.ts'

export default {
  stickersTab: 'Figurinhas',
  emojiTab: 'Emojis',
  picturesTab: 'Imagens',
  kinds: 'Tipos',
  search: 'Buscar figurinhas',
  none: 'Nenhuma figurinha corresponde.',
  nothing: 'Não há figurinhas que você possa enviar aqui.',
  send: ({ name, alt }) => `Enviar a figurinha ${name}: ${alt}`,
  gone: 'Esta figurinha não existe mais.',
  hint: 'PNG, APNG, WebP ou GIF de no máximo 512 KiB. Imagens com mais de 320 pixels são reduzidas.',
  upload: 'Enviar uma imagem',
  name: 'Nome da figurinha',
  alt: 'Descrição',
  altHint: 'O que a imagem mostra, para quem não a vê',
  space: ({ used, max }) => `As imagens e os sons deste servidor ocupam ${used} de ${max}.`,
  edit: (name) => `Editar ${name}`,
  delete: (name) => `Excluir ${name}`,
  deleteText: 'Ninguém mais pode enviá-la. Ela continua visível nas mensagens.',
  empty: 'Nenhuma figurinha ainda',
  emptyText: 'Envie uma imagem, dê um nome a ela e descreva-a. Todos os membros podem enviá-la.',
  counted: ({ n, max }) => `${n} de ${max}`,
  problems: {
    too_many_stickers: 'Este servidor já tem 60 figurinhas. Exclua uma primeiro.',
    too_many_bytes:
      'As imagens e os sons deste servidor não deixam espaço para ela. Exclua primeiro uma figurinha, um emoji ou um som.',
  },
  pictures: {
    keep: 'Guardar imagem',
    kept: 'Imagem guardada. Ela fica onde você escolhe emojis.',
    send: (name) => `Enviar ${name}`,
    remove: (name) => `Remover ${name}`,
    none: 'Nenhuma imagem ainda',
    noneText: 'Abra uma imagem de uma mensagem e escolha “Guardar imagem”. Só você vê o que guarda.',
    problems: {
      too_many_favourites: 'Você já guarda 50 imagens. Remova uma primeiro.',
      too_many_bytes: 'Você não tem mais espaço para ela.',
    },
  },
} satisfies typeof stickerWords
