# All images: docker build --target gateway -t assay/gateway .
# `make k8s-images` makes the same as archives where there is no Docker.
FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY . .
ENV CGO_ENABLED=0
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    go build -trimpath -ldflags="-s -w" -o /out/ \
      ./assay ./gateway/cmd/gateway ./ltl-worker/cmd/ltl-worker ./abc-worker/cmd/abc-worker \
      ./captcha-worker/cmd/captcha-worker ./sandbox/cmd/sandbox

FROM gcr.io/distroless/static-debian12:nonroot AS gateway
COPY --from=build /out/gateway /gateway
ENTRYPOINT ["/gateway"]

FROM gcr.io/distroless/static-debian12:nonroot AS abc-worker
COPY --from=build /out/abc-worker /abc-worker
ENTRYPOINT ["/abc-worker"]

FROM gcr.io/distroless/static-debian12:nonroot AS captcha-worker
COPY --from=build /out/captcha-worker /captcha-worker
ENTRYPOINT ["/captcha-worker"]

FROM gcr.io/distroless/static-debian12:nonroot AS sandbox
COPY --from=build /out/sandbox /sandbox
ENTRYPOINT ["/sandbox"]

FROM gcr.io/distroless/static-debian12:nonroot AS assay
COPY --from=build /out/assay /assay
ENTRYPOINT ["/assay"]

# The one image with a browser; tini buries what the browser leaves.
FROM debian:bookworm-slim AS ltl-worker
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates chromium tini fonts-liberation \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /out/ltl-worker /ltl-worker
USER 65532:65532
ENTRYPOINT ["/usr/bin/tini", "--", "/ltl-worker"]
