// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Preloaded into the program by test_faults.py: lets the n-th call of one function fail, if it is about a
// file below a folder.
//   FAIL_CALL=write|sync|rename|open|truncate|malloc  FAIL_AT=n  FAIL_ERRNO=number  FAIL_UNDER=folder
//   FAIL_MARK=file                                    made when the call has failed
//   FAIL_KILL=1                                       the process is killed instead
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long calls;

static void mark(void) {
  const char* path = getenv("FAIL_MARK");
  const long fd = path ? syscall(SYS_open, path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666) : -1;
  if (fd >= 0) syscall(SYS_close, fd);
}

// Is it this one's turn?
static int fails(const char* call) {
  const char *chosen = getenv("FAIL_CALL"), *at = getenv("FAIL_AT"), *number = getenv("FAIL_ERRNO");
  if (!chosen || !at || strcmp(chosen, call) != 0 || atomic_fetch_add(&calls, 1) + 1 != atol(at)) return 0;
  mark();
  if (getenv("FAIL_KILL")) kill(getpid(), SIGKILL);
  errno = number ? atoi(number) : EIO;
  return 1;
}

static int below(const char* path) {
  const char* folder = getenv("FAIL_UNDER");
  return folder && strncmp(path, folder, strlen(folder)) == 0;
}

static int fdBelow(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return below(path);
}

static int pathBelow(const char* path) {
  char whole[8192], folder[4096];
  if (path[0] == '/' || !getcwd(folder, sizeof folder)) return below(path);
  snprintf(whole, sizeof whole, "%s/%s", folder, path);
  return below(whole);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void* bytes, size_t count) {
  return fdBelow(fd) && fails("write") ? -1 : REAL(write)(fd, bytes, count);
}
ssize_t writev(int fd, const struct iovec* vectors, int count) {
  return fdBelow(fd) && fails("write") ? -1 : REAL(writev)(fd, vectors, count);
}
ssize_t pwrite(int fd, const void* bytes, size_t count, off_t at) {
  return fdBelow(fd) && fails("write") ? -1 : REAL(pwrite)(fd, bytes, count, at);
}
ssize_t pwrite64(int fd, const void* bytes, size_t count, off_t at) { return pwrite(fd, bytes, count, at); }
ssize_t pwritev(int fd, const struct iovec* vectors, int count, off_t at) {
  return fdBelow(fd) && fails("write") ? -1 : REAL(pwritev)(fd, vectors, count, at);
}
ssize_t pwritev64(int fd, const struct iovec* vectors, int count, off_t at) {
  return pwritev(fd, vectors, count, at);
}
int fsync(int fd) { return fdBelow(fd) && fails("sync") ? -1 : REAL(fsync)(fd); }
int fdatasync(int fd) { return fdBelow(fd) && fails("sync") ? -1 : REAL(fdatasync)(fd); }
int ftruncate(int fd, off_t length) {
  return fdBelow(fd) && fails("truncate") ? -1 : REAL(ftruncate)(fd, length);
}
int ftruncate64(int fd, off_t length) { return ftruncate(fd, length); }
int rename(const char* from, const char* to) {
  return pathBelow(to) && fails("rename") ? -1 : REAL(rename)(from, to);
}

static int openWith(const char* name, const char* path, int flags, va_list more) {
  const int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, int) : 0;
  if (pathBelow(path) && fails("open")) return -1;
  return ((int (*)(const char*, int, ...))dlsym(RTLD_NEXT, name))(path, flags, mode);
}
int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const int fd = openWith("open", path, flags, more);
  va_end(more);
  return fd;
}
int open64(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const int fd = openWith("open64", path, flags, more);
  va_end(more);
  return fd;
}
FILE* fopen(const char* path, const char* mode) {
  return pathBelow(path) && fails("open") ? NULL : REAL(fopen)(path, mode);
}
FILE* fopen64(const char* path, const char* mode) {
  return pathBelow(path) && fails("open") ? NULL : REAL(fopen64)(path, mode);
}

// Only what is big enough to fail in life, and only once the program itself runs.
extern void* __libc_malloc(size_t);
void* malloc(size_t bytes) {
  if (bytes >= 2048 && environ && fails("malloc")) {
    errno = ENOMEM;
    return NULL;
  }
  return __libc_malloc(bytes);
}
