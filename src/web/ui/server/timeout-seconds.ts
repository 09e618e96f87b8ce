/** Durations of a timeout to choose from, seconds; the longest is just below the server's limit, whose clock may differ. */
export const TIMEOUT_SECONDS = [60, 300, 3600, 43_200, 86_400, 604_800, 1_209_600, 2_332_800]
