import BaseKit

/// The moment so many milliseconds after the clock began.
public func at(_ milliseconds: Int) -> Instant { Instant(sinceStart: .milliseconds(milliseconds)) }
