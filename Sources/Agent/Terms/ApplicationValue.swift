/// One of the application's own values, asked for in the moment in which it is stored, so that what is stored last is the latest.
public struct ApplicationValue: Sendable {
    let name: String
    let content: @Sendable () -> [UInt8]?

    /// A value under `name`, which is stored in plain; nil removes it. `content` must not wait.
    public init(_ name: String, content: @escaping @Sendable () -> [UInt8]?) {
        self.name = name
        self.content = content
    }
}
