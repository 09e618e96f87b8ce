// Printed from locales/pt/files.json. After a change there: bun run words
import type { fileWords } from '../files.ts'
import { count } from './plural.ts'

export default {
  tooMany: (n) =>
    `Uma mensagem pode ter até 10 arquivos. ${count(n, '# arquivo ficou', '# de arquivos ficaram', '# arquivos ficaram')} de fora.`,
  unnamed: 'arquivo',
  interrupted: 'O envio foi interrompido.',
  remove: (name) => `Remover ${name}`,
  progress: (name) => `Enviando ${name}`,
  download: 'Baixar',
  downloadOne: (name) => `Baixar ${name}`,
  mark: (name) => `Marcar ${name} como spoiler`,
  describe: (name) => `Descrever ${name}`,
  description: 'O que mostra',
  descriptionHint: 'Lido em voz alta para quem não a vê e encontrado pela busca.',
} satisfies typeof fileWords
