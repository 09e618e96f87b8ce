FROM oven/bun:1.4.4-slim AS install
WORKDIR /parley
COPY package.json bun.lock bunfig.toml ./
COPY patches patches
# The image is for a real PostgreSQL (compose.yaml) or the embedded one; both work as the user `bun`.
RUN bun install --frozen-lockfile --production

FROM oven/bun:1.4.4-slim
WORKDIR /parley
COPY --from=install /parley/node_modules node_modules
COPY package.json tsconfig.json ./
COPY sql sql
COPY src src
RUN mkdir /data && chown bun:bun /data
USER bun
ENV HOST=0.0.0.0 PORT=3000 DATA_DIR=/data NODE_ENV=production
VOLUME /data
EXPOSE 3000 3478/tcp 3478/udp 21000-21999/udp
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["bun", "-e", "process.exit((await fetch(`http://127.0.0.1:${process.env.PORT}/healthz`)).ok ? 0 : 1)"]
CMD ["bun", "src/main.ts"]
