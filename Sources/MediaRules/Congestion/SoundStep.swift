/// How the voice is encoded: in longer pieces it comes later, and costs less of headers.
package struct SoundStep: Sendable, Equatable {
    /// Bits a second of the encoder.
    package let bitrate: Int
    /// Milliseconds in one packet.
    package let packet: Int
    /// Bits a second with the headers and what seals each piece.
    let share: Int
    /// Bits a second, of all that is sent with pictures, below which it takes too much.
    let least: Int

    /// From best to worst.
    static let all = [
        SoundStep(bitrate: 32_000, packet: 20, share: 52_000, least: 180_000),
        SoundStep(bitrate: 24_000, packet: 40, share: 34_000, least: 110_000),
        SoundStep(bitrate: 14_000, packet: 60, share: 20_000, least: 75_000),
        SoundStep(bitrate: 10_000, packet: 60, share: 16_000, least: 0),
    ]
}
