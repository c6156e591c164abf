// Loaded before the server (LD_PRELOAD): lets writes or flushes of the log fail, as a broken or full disk does.
// The file that FAULT names says which and how: "write ENOSPC", "write EIO" or "flush EIO"; without it all is well.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int broken(int fd, const char* what) {
  const char* name = getenv("FAULT");
  if (!name) return 0;
  char link[64], path[4096], said[32] = "";
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t size = readlink(link, path, sizeof path - 1);
  if (size < 0) return 0;
  path[size] = 0;
  if (!strstr(path, "log.sqlite")) return 0;
  FILE* file = fopen(name, "r");
  if (!file) return 0;
  const size_t got = fread(said, 1, sizeof said - 1, file);
  fclose(file);
  said[got] = 0;
  if (strncmp(said, what, strlen(what))) return 0;
  errno = strstr(said, "ENOSPC") ? ENOSPC : EIO;
  return 1;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void* data, size_t size) {
  return broken(fd, "write") ? -1 : NEXT(write)(fd, data, size);
}
ssize_t pwrite(int fd, const void* data, size_t size, off_t at) {
  return broken(fd, "write") ? -1 : NEXT(pwrite)(fd, data, size, at);
}
ssize_t pwrite64(int fd, const void* data, size_t size, off64_t at) {
  return broken(fd, "write") ? -1 : NEXT(pwrite64)(fd, data, size, at);
}
int fsync(int fd) { return broken(fd, "flush") ? -1 : NEXT(fsync)(fd); }
int fdatasync(int fd) { return broken(fd, "flush") ? -1 : NEXT(fdatasync)(fd); }
