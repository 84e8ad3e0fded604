import ArgumentParser
@preconcurrency import Glibc

/// How the program ends.
enum ProgramEnd {
    /// Prints what has been said and ends at once: threads of the network still run, and must not meet libraries that are
    /// being taken down.
    static func leave(_ status: ExitCode) -> Never {
        // The standard output alone: flushing everything waits for a thread that reads the standard input.
        fflush(stdout)
        _exit(status.rawValue)
    }
}
