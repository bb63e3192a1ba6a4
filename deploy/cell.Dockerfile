# The image of the `docker` backend: the cell, and nothing else.
#
# A container shows a command what its View shows it in any other cell, by read-only bind mounts:
# the compilers and interpreters that judge are this machine's own, so that a verdict and the
# compile cache do not depend on the backend. docs/how-to/container.md has more.
#
# The context is made in memory at first use:
#   rootfs/cell   the static supervisor of the installed package
#   rootfs/tmp    a symbolic link to /w, the scratch folder
FROM scratch
COPY rootfs/ /
WORKDIR /w
# Each container is started under a user id of its own; this one is for who starts it by hand.
USER 65534:65534
ENTRYPOINT ["/cell"]
