/// An encoder of VP8 by the machine's graphics processor (VA-API), and how it is set.
///
/// Facts: the properties of `vavp8enc` (GStreamer's plugin `va`) and of `vaapivp8enc` (gstreamer-vaapi), both with rates in 1000 bits a
/// second.
package struct HardwareEncoder: Sendable, Hashable {
    /// The name of its factory.
    package let factory: String
    /// Set once: a name and a text.
    package let fixed: [String: String]
    /// Set once: a name and a number, or the nearest that the element takes.
    package let bounded: [String: Int]
    /// The property that has the most bits it may hold back, where there is one.
    private let bufferSize: String?

    /// An encoder of this factory, which takes its rate by `bitrate`.
    package init(factory: String, fixed: [String: String], bounded: [String: Int] = [:], bufferSize: String? = nil) {
        (self.factory, self.fixed, self.bounded, self.bufferSize) = (factory, fixed, bounded, bufferSize)
    }

    /// Those there are, the better first.
    package static let candidates = [
        HardwareEncoder(
            factory: "vavp8enc", fixed: ["rate-control": "cbr"], bounded: ["key-int-max": 3_000, "target-usage": 6],
            bufferSize: "cpb-size"),
        HardwareEncoder(
            factory: "vaapivp8enc", fixed: ["rate-control": "cbr"],
            bounded: ["keyframe-period": 3_000, "quality-level": 6]),
    ]

    /// The numbers for so many bits a second, by property.
    package func settings(bitrate: Int) -> [String: Int] {
        let thousands = max(bitrate / 1_000, 1)
        // As much as libvpx's buffer-optimal-size holds.
        return bufferSize.map { ["bitrate": thousands, $0: max(thousands / 2, 1)] } ?? ["bitrate": thousands]
    }

    /// Whether a new rate is worth being set: the encoder may begin anew with it, by a key frame.
    package static func isWorthSetting(_ bitrate: Int, after former: Int?) -> Bool {
        guard let former else { return true }
        return (bitrate - former).magnitude * 20 >= former.magnitude
    }
}

/// What an encoder has shown when it was tried, and whether it may be used.
package struct EncoderTrial: Sendable, Equatable {
    /// Pictures that were to be encoded.
    package var given = 0
    /// Those that a decoder made of the result.
    package var decoded = 0
    /// How far a point of the last one is from what it was, of 255, on average; nil when none was compared.
    package var difference: Double?
    /// Whether a key frame came after one was asked for.
    package var madeKeyFrame = false
    /// Bits a second that it was allowed in the end.
    package var allowed = 0
    /// Bits a second that it made in the end.
    package var made = 0

    /// Nothing yet.
    package init() {}

    /// Whether it does what a call needs: nearly all pictures, recognisable, a key frame when asked for, and a rate that follows.
    package var isGood: Bool {
        guard let difference else { return false }
        return decoded * 10 >= given * 8 && difference < 16 && madeKeyFrame && made <= allowed * 3
    }
}
