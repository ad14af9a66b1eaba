# syntax=docker/dockerfile:1-labs
# All images: docker build --build-arg VERSION=1.0.0 --target gateway -t registry.example.com/assay/gateway:1.0.0 .
# `make k8s-images` makes the same as archives where there is no engine.
FROM --platform=$BUILDPLATFORM golang:1.26-bookworm AS build
WORKDIR /src
COPY . .
ARG TARGETARCH
ARG VERSION=devel
ARG GOPROXY
ENV CGO_ENABLED=0 GOARCH=$TARGETARCH
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    go build -pgo=assay/release.pgo -trimpath -ldflags="-s -w -X assay.dev/platform/daemon.version=$VERSION" -o /out/ \
      ./assay ./gateway/cmd/gateway ./ltl-worker/cmd/ltl-worker ./abc-worker/cmd/abc-worker \
      ./captcha-worker/cmd/captcha-worker ./courier/cmd/courier ./sandbox/cmd/sandbox

FROM gcr.io/distroless/static-debian12:nonroot AS static
ARG VERSION=devel
LABEL org.opencontainers.image.version=$VERSION

FROM static AS gateway
COPY --from=build /out/gateway /gateway
ENTRYPOINT ["/gateway"]

FROM static AS abc-worker
COPY --from=build /out/abc-worker /abc-worker
ENTRYPOINT ["/abc-worker"]

FROM static AS captcha-worker
COPY --from=build /out/captcha-worker /captcha-worker
ENTRYPOINT ["/captcha-worker"]

FROM static AS courier
COPY --from=build /out/courier /courier
ENTRYPOINT ["/courier"]

FROM static AS sandbox
COPY --from=build /out/sandbox /sandbox
ENTRYPOINT ["/sandbox"]

FROM static AS assay
COPY --from=build /out/assay /assay
ENTRYPOINT ["/assay"]

# The one image with a browser: Debian's headless shell of Chromium, without a shell or a package manager. mmdebstrap makes mounts of
# its own, so this stage needs: docker build --allow security.insecure (BuildKit), or buildah --cap-add SYS_ADMIN.
FROM --platform=$BUILDPLATFORM debian:bookworm-slim AS rootfs
ARG TARGETARCH
COPY tools/rootfs.sh /
RUN --security=insecure /rootfs.sh $TARGETARCH /rootfs

# tini buries what the browser leaves. No shell is there for Debian's wrapper of Chromium, so the program itself is named.
FROM scratch AS ltl-worker
ARG VERSION=devel
LABEL org.opencontainers.image.version=$VERSION
COPY --from=rootfs /rootfs /
COPY --from=build /out/ltl-worker /ltl-worker
ENV ASSAY_CHROMIUM=/usr/lib/chromium/chromium-headless-shell
USER 65532:65532
ENTRYPOINT ["/usr/bin/tini", "--", "/ltl-worker"]
