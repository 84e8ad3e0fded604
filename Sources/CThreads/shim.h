#pragma once
// What Glibc's module lacks: timers as files (timerfd_create(2)) and names of threads.
#include <pthread.h>
#include <sys/timerfd.h>

// pthread_setname_np(3), which <pthread.h> has for programs with GNU's extensions only.
extern int parley_name_thread(pthread_t thread, const char *name) __asm__("pthread_setname_np");
