import BaseKit

/// So many milliseconds after the beginning of a clock.
public func at(_ milliseconds: some BinaryInteger) -> Instant { Instant(sinceStart: .milliseconds(milliseconds)) }
