/// How large a camera's pictures are at best.
public enum CameraQuality: String, Sendable, Hashable, Codable, CaseIterable {
    /// 1280 by 720 pixels.
    case standard
    /// 1920 by 1080 pixels.
    case high

    package var size: PictureSize {
        switch self {
        case .standard: PictureSize(width: 1_280, height: 720)
        case .high: PictureSize(width: 1_920, height: 1_080)
        }
    }
}

/// How many pictures a second, as a fraction.
package struct PictureRate: Sendable, Hashable {
    package var numerator: Int
    package var denominator: Int

    package init(_ numerator: Int, _ denominator: Int = 1) {
        self.numerator = numerator
        self.denominator = denominator
    }

    /// Pictures a second; 0 for what is no rate.
    package var value: Double { denominator > 0 ? Double(numerator) / Double(denominator) : 0 }
}

/// A way in which a camera gives pictures: one that it offers, or one that is chosen of these.
package struct CameraMode: Sendable, Hashable {
    /// How pictures come.
    package enum Coding: Sendable, Hashable {
        /// As they are, in a format of GStreamer's, such as "YUY2"; nil: whichever the camera has.
        case raw(String?)
        /// Each one as a JPEG.
        case jpeg
    }

    package var coding: Coding
    package var size: PictureSize
    /// Nil: the camera does not say.
    package var rate: PictureRate?

    package init(_ coding: Coding, _ size: PictureSize, rate: PictureRate?) {
        (self.coding, self.size, self.rate) = (coding, size, rate)
    }

    /// Pictures a second of which no call sends more.
    package static let enough = 30.0

    /// GStreamer's text for it.
    package var caps: String {
        var text =
            switch coding {
            case .raw(let format): "video/x-raw" + (format.map { ",format=\($0)" } ?? "")
            case .jpeg: "image/jpeg"
            }
        text += ",width=\(size.width),height=\(size.height)"
        if let rate { text += ",framerate=\(rate.numerator)/\(rate.denominator)" }
        return text
    }

    /// The best of what a camera offers for pictures of at most this size; nil when it offers none that is known.
    ///
    /// What a call can use of it counts first: pixels, and twice how smooth it is. Among those that are the same to the call, the one
    /// with the least work is taken: nothing to be scaled down, nothing to decode, no colours to convert, no pictures to drop.
    package static func best(of offers: [CameraMode], for size: PictureSize) -> CameraMode? {
        offers.filter { $0.size.width >= 16 && $0.size.height >= 16 }.min { one, other in
            let (mine, its) = (one.use(for: size), other.use(for: size))
            return mine == its ? one.cost.lexicographicallyPrecedes(other.cost) : mine > its
        }
    }

    /// What a call has of it.
    private func use(for box: PictureSize) -> Double {
        let smooth = min(rate.map(\.value) ?? Self.enough, Self.enough) / Self.enough
        // Rates such as 30000/1001 are as good.
        let rounded = smooth > 0.99 ? 1 : smooth
        return Double(size.fitted(into: box).pixels) * rounded * rounded
    }

    /// What it costs, the most expensive first: pixels, decoding, conversion, pictures that are dropped.
    private var cost: [Double] {
        let (decoding, conversion) =
            switch coding {
            case .raw("I420"): (0.0, 0.0)
            case .raw("NV12"), .raw("YV12"): (0.0, 1.0)
            case .raw("YUY2"), .raw("UYVY"): (0.0, 2.0)
            case .raw: (0.0, 3.0)
            case .jpeg: (1.0, 0.0)
            }
        return [Double(size.pixels), decoding, conversion, max((rate?.value ?? Self.enough) - Self.enough, 0)]
    }

    /// What to ask a camera for, the best first, for pictures of at most this size: it takes the first that it can. `offers` is what it
    /// has; empty where that is not known.
    package static func formats(_ offers: [CameraMode], for size: PictureSize) -> String {
        best(of: offers, for: size).map { "\($0.caps);\(usual)" } ?? wishes(for: size)
    }

    private static func wishes(for size: PictureSize) -> String {
        let sizes = [PictureSize(width: 1_920, height: 1_080), PictureSize(width: 1_280, height: 720)].filter {
            $0.width <= size.width
        }
        let smooth = "framerate=[24/1,2147483647/1]"
        let large = sizes.flatMap { size in
            ["video/x-raw", "image/jpeg"].map { "\($0),width=\(size.width),height=\(size.height),\(smooth)" }
        }
        return (large + [usual]).joined(separator: ";")
    }

    /// What every camera was asked for before there were larger pictures, and whatever it has.
    static let usual =
        "video/x-raw,width=640,height=480;image/jpeg,width=640,height=480;video/x-raw;image/jpeg"
}
