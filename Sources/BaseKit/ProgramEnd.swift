@preconcurrency import Glibc

/// How a program ends.
public enum ProgramEnd {
    /// Prints what has been said and ends at once, with this exit status: threads of the network still run, and must not meet libraries
    /// that are being taken down, such as OpenSSL without its locks.
    public static func leave(_ status: Int32) -> Never {
        // The standard output alone: flushing everything waits for a thread that reads the standard input.
        fflush(stdout)
        _exit(status)
    }
}
