import Logging

/// Writes the log to the standard error, with nothing in it that a terminal must not get: what peers and relays said of
/// themselves stands in messages and metadata.
public struct SafeLogHandler: LogHandler {
    private var inner: any LogHandler

    /// A handler over another one, for logs of at least `level`.
    public init(over inner: any LogHandler, level: Logger.Level) {
        self.inner = inner
        self.inner.logLevel = level
    }

    /// A handler for the standard error.
    public init(label: String, level: Logger.Level) {
        self.init(over: StreamLogHandler.standardError(label: label), level: level)
    }

    public var logLevel: Logger.Level {
        get { inner.logLevel }
        set { inner.logLevel = newValue }
    }

    public var metadata: Logger.Metadata {
        get { inner.metadata }
        set { inner.metadata = Self.clean(newValue) }
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { inner[metadataKey: key] }
        set { inner[metadataKey: key] = newValue.map(Self.clean) }
    }

    public func log(event: LogEvent) {
        var safe = event
        safe.message = "\(TerminalText.line(event.message.description))"
        safe.metadata = event.metadata.map(Self.clean)
        if let error = event.error {
            // Where the handler below would put it.
            safe.metadata = (safe.metadata ?? [:]).merging(["error.message": "\(TerminalText.line("\(error)"))"]) { $1 }
            safe.error = nil
        }
        inner.log(event: safe)
    }

    private static func clean(_ metadata: Logger.Metadata) -> Logger.Metadata {
        Logger.Metadata(metadata.map { (TerminalText.line($0), clean($1)) }, uniquingKeysWith: { first, _ in first })
    }

    private static func clean(_ value: Logger.Metadata.Value) -> Logger.Metadata.Value {
        switch value {
        case .string(let text): .string(TerminalText.line(text))
        case .stringConvertible(let value): .string(TerminalText.line(value.description))
        case .dictionary(let metadata): .dictionary(clean(metadata))
        case .array(let values): .array(values.map(clean))
        }
    }
}
