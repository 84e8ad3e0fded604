/// Whether the system (the desktop's mixer, a key of the keyboard) has muted the microphone that a call uses. Pure.
///
/// Each device that is looked after has a number: what is told late of an earlier one means nothing.
package struct SystemMute: Sendable, Equatable {
    /// Whether it has.
    package private(set) var isMuted = false
    private var device: MediaDevice?
    private var number = 0

    package init() {}

    /// What a change of the device means.
    package struct Change: Sendable, Equatable {
        /// The number under which the new device is to be looked after; nil when there is none.
        package var number: Int?
        /// The news, if there are any.
        package var news: Bool?
    }

    /// The call uses another microphone, or with nil none; nil when it is the same.
    package mutating func use(_ device: MediaDevice?) -> Change? {
        guard device != self.device else { return nil }
        self.device = device
        number += 1
        return Change(number: device == nil ? nil : number, news: turn(false))
    }

    /// The system says how it is with a device. Gives the news, if that is one.
    package mutating func learn(_ isMuted: Bool, of number: Int) -> Bool? {
        number == self.number && device != nil ? turn(isMuted) : nil
    }

    private mutating func turn(_ isMuted: Bool) -> Bool? {
        defer { self.isMuted = isMuted }
        return self.isMuted == isMuted ? nil : isMuted
    }
}
