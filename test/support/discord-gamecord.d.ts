declare module 'discord-gamecord' {
  import type { EventEmitter } from 'node:events'

  export class Minesweeper extends EventEmitter {
    constructor(options: object)
    startGame(): Promise<unknown>
  }
  const games: { Minesweeper: typeof Minesweeper }
  export default games
}
