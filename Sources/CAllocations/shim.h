#pragma once
// Counts a process's calls of malloc and its kin without LD_PRELOAD: every loaded object's slots for them are made to point here,
// once and for good. What the C library calls inside itself is not seen.
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// `struct dl_phdr_info` and `dl_iterate_phdr` of dl_iterate_phdr(3), which stand in <link.h> for programs with GNU's extensions only.
struct parley_object {
    ElfW(Addr) address;
    const char *name;
    const ElfW(Phdr) *headers;
    ElfW(Half) count;
};
extern int parley_iterate(int (*)(struct parley_object *, size_t, void *), void *) __asm__("dl_iterate_phdr");

struct parley_counter {
    unsigned long count;
    void *(*malloc)(size_t);
    void *(*calloc)(size_t, size_t);
    void *(*realloc)(void *, size_t);
    void *(*aligned_alloc)(size_t, size_t);
    int (*posix_memalign)(void **, size_t, size_t);
};

static inline struct parley_counter *parley_counter(void) {
    static struct parley_counter counter;
    return &counter;
}

static inline void parley_count(void) { __atomic_add_fetch(&parley_counter()->count, 1, __ATOMIC_RELAXED); }

static inline void *parley_counted_malloc(size_t size) {
    parley_count();
    return parley_counter()->malloc(size);
}

static inline void *parley_counted_calloc(size_t count, size_t size) {
    parley_count();
    return parley_counter()->calloc(count, size);
}

static inline void *parley_counted_realloc(void *old, size_t size) {
    parley_count();
    return parley_counter()->realloc(old, size);
}

static inline void *parley_counted_aligned_alloc(size_t alignment, size_t size) {
    parley_count();
    return parley_counter()->aligned_alloc(alignment, size);
}

static inline int parley_counted_posix_memalign(void **place, size_t alignment, size_t size) {
    parley_count();
    return parley_counter()->posix_memalign(place, alignment, size);
}

static inline void *parley_replacement(const char *name) {
    if (!strcmp(name, "malloc")) return (void *)parley_counted_malloc;
    if (!strcmp(name, "calloc")) return (void *)parley_counted_calloc;
    if (!strcmp(name, "realloc")) return (void *)parley_counted_realloc;
    if (!strcmp(name, "aligned_alloc")) return (void *)parley_counted_aligned_alloc;
    if (!strcmp(name, "posix_memalign")) return (void *)parley_counted_posix_memalign;
    return NULL;
}

static inline void parley_replace(
    ElfW(Addr) base, const ElfW(Rela) *entries, size_t count, const ElfW(Sym) *symbols, const char *names) {
    for (size_t index = 0; index < count; index++) {
        const void *replacement = parley_replacement(names + symbols[ELF64_R_SYM(entries[index].r_info)].st_name);
        if (!replacement) continue;
        void **slot = (void **)(base + entries[index].r_offset);
        size_t page = (size_t)sysconf(_SC_PAGESIZE);
        // They may be read-only since the program was loaded.
        if (mprotect((void *)((size_t)slot & ~(page - 1)), page, PROT_READ | PROT_WRITE) == 0) *slot = (void *)replacement;
    }
}

static inline int parley_replace_all(struct parley_object *object, size_t size, void *data) {
    (void)size, (void)data;
    const ElfW(Dyn) *dynamic = NULL;
    for (int index = 0; index < object->count; index++)
        if (object->headers[index].p_type == PT_DYNAMIC)
            dynamic = (const ElfW(Dyn) *)(object->address + object->headers[index].p_vaddr);
    if (!dynamic || strstr(object->name, "vdso")) return 0;
    const ElfW(Sym) *symbols = NULL;
    const char *names = NULL;
    const ElfW(Rela) *calls = NULL, *others = NULL;
    size_t callBytes = 0, otherBytes = 0;
    for (; dynamic->d_tag != DT_NULL; dynamic++) {
        const void *address = (const void *)dynamic->d_un.d_ptr;
        switch (dynamic->d_tag) {
        case DT_SYMTAB: symbols = address; break;
        case DT_STRTAB: names = address; break;
        case DT_JMPREL: calls = address; break;
        case DT_PLTRELSZ: callBytes = dynamic->d_un.d_val; break;
        case DT_RELA: others = address; break;
        case DT_RELASZ: otherBytes = dynamic->d_un.d_val; break;
        default: break;
        }
    }
    if (!symbols || !names) return 0;
    if (calls) parley_replace(object->address, calls, callBytes / sizeof(ElfW(Rela)), symbols, names);
    if (others) parley_replace(object->address, others, otherBytes / sizeof(ElfW(Rela)), symbols, names);
    return 0;
}

/// Begins to count; only once in a process.
static inline void parley_begin_counting(void) {
    parley_counter()->malloc = (void *(*)(size_t))dlsym(NULL, "malloc");
    parley_counter()->calloc = (void *(*)(size_t, size_t))dlsym(NULL, "calloc");
    parley_counter()->realloc = (void *(*)(void *, size_t))dlsym(NULL, "realloc");
    parley_counter()->aligned_alloc = (void *(*)(size_t, size_t))dlsym(NULL, "aligned_alloc");
    parley_counter()->posix_memalign = (int (*)(void **, size_t, size_t))dlsym(NULL, "posix_memalign");
    parley_iterate(parley_replace_all, NULL);
}

/// How many calls there were since.
static inline unsigned long parley_count_so_far(void) { return __atomic_load_n(&parley_counter()->count, __ATOMIC_RELAXED); }
