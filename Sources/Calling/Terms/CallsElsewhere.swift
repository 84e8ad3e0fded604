/// What a person does in calls of other accounts of theirs, which share their attention and their devices with this one.
public struct CallsElsewhere: Equatable, Sendable {
    /// How many calls there are: active, on hold and ringing together.
    public var count: Int
    /// Whether one of them has the person's attention: they take part in it, or it has been ringing longest.
    public var hasAttention: Bool

    /// None, unless there are some.
    public init(count: Int = 0, hasAttention: Bool = false) {
        (self.count, self.hasAttention) = (count, hasAttention)
    }
}
