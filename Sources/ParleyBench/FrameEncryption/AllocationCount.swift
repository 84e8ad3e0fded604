import CAllocations

/// How often this process asks the C library for memory: each call of `malloc`, `calloc`, `realloc`, `aligned_alloc` and
/// `posix_memalign` from any library or this program, also of memory that is given back at once.
///
/// The tables by which loaded libraries find these functions (their GOT) are made to lead to counters that call the real ones. What
/// the C library asks of itself is not seen.
enum AllocationCount {

    private static let hasBegun: Void = parley_begin_counting()

    /// How many there are while `body` runs, of all threads.
    static func during(_ body: () throws -> Void) rethrows -> Int {
        _ = hasBegun
        let before = parley_count_so_far()
        try body()
        return Int(parley_count_so_far() - before)
    }
}
