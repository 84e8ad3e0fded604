/// What one check of ``Doctor`` found.
public struct Finding: Sendable, Equatable {
    /// What is checked.
    public enum Check: String, Sendable, CaseIterable {
        /// The elements of GStreamer's that calls are made of.
        case elements
        /// Cameras, microphones and speakers.
        case devices
        /// What the desktop hands out: cameras and screens.
        case portal
        /// The desktop's keyring.
        case keyring
        /// What a profile remembers; see ``ProfilePlaces/settings``.
        case settings
        /// A relay for messages (SMP).
        case relay
        /// A STUN or TURN server.
        case server
        /// A server for calls of more than four people.
        case callServer
        /// This machine's clock.
        case clock
    }

    /// How it fares.
    public enum Verdict: String, Sendable {
        /// It works.
        case ok
        /// Calls work without it, with less.
        case warning
        /// Calls don't work.
        case problem
        /// There was nothing to check.
        case skipped
    }

    /// What was checked.
    public var check: Check
    /// Which of them, such as a kind of device or an address; nil where there is one only.
    public var subject: String?
    /// How it fares.
    public var verdict: Verdict
    /// What was found.
    public var fact: Fact

    init(_ check: Check, of subject: String? = nil, _ verdict: Verdict, _ fact: Fact) {
        self.check = check
        self.subject = subject
        self.verdict = verdict
        self.fact = fact
    }
}
