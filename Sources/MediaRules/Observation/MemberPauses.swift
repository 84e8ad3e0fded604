/// The longest times without something of a member of a call of several since they were asked for last, with those that last still. In
/// milliseconds; 0 before the first of a kind. Who has switched a source off makes a pause, too.
public struct MemberPauses: Sendable, Equatable {
    /// Without a picture of its camera that was shown.
    public var pictures: Int
    /// Without a piece of its sound that was played.
    public var sound: Int

    /// None, by default.
    public init(pictures: Int = 0, sound: Int = 0) { (self.pictures, self.sound) = (pictures, sound) }
}
