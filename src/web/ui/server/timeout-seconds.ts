/**
 * Durations of a timeout to choose from, seconds. The longest is just below the limit of the server, whose clock may
 * differ.
 */
export const TIMEOUT_SECONDS = [60, 300, 3600, 43_200, 86_400, 604_800, 1_209_600, 2_332_800]
