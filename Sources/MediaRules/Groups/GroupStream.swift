/// The streams of one member of a group call, by the number that their frames carry.
public enum GroupStream: UInt8, Sendable, CaseIterable {
    /// The microphone.
    case sound = 0
    /// The camera's larger pictures.
    case high = 1
    /// The camera's smaller pictures.
    case low = 2
    case screen = 3
    case screenSound = 4
    /// The camera's smallest pictures.
    case lowest = 5

    /// What its frames hold.
    package var kind: FrameKind {
        switch self {
        case .sound, .screenSound: .audio
        case .high, .low, .lowest, .screen: .video
        }
    }
}
