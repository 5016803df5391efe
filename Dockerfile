# The program and nothing else it needs: `packaging/container` builds the static program first and puts it here.
#
#     packaging/container
#     docker run --rm -v "$PWD:/work" servanda check order.pact
# Small, with the certificates that `servanda proxy` needs. A program that is not static needs a base with the C library it was linked with.
ARG BASE=alpine:3.22
FROM ${BASE}

LABEL org.opencontainers.image.title="Servanda" \
      org.opencontainers.image.description="Verification of communicating agents" \
      org.opencontainers.image.licenses="MIT OR Apache-2.0" \
      org.opencontainers.image.authors="The Servanda authors"

# What `packaging/lay-out` lays ready, with manual pages, completions, examples and licences.
COPY target/container/ /usr/local/

# Nobody in particular, by number: systems that forbid root see that it is none without asking for the name.
USER 65532:65532
# Where the models are; mount yours here.
WORKDIR /work
ENV HOME=/nonexistent
# The workbench: `docker run -p 8420:8420 servanda serve --listen 0.0.0.0:8420`.
EXPOSE 8420
ENTRYPOINT ["/usr/local/bin/servanda"]
CMD ["--help"]
