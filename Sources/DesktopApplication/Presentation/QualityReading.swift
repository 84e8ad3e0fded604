import Foundation
import MediaRules
import Wording

/// What is seen of a call's connection at one moment.
struct QualityReading: Equatable {
    /// A picture's width and height.
    struct Size: Equatable {
        var width: Int
        var height: Int
    }

    /// A line of the list.
    struct Line: Equatable {
        let title: String
        let value: String
    }

    let statistics: MediaStatistics
    /// Nil at the first look.
    let rates: CallRates?
    let quality: CallQuality
    /// Whether frames are encrypted end to end; nil while that is not known.
    let isEncrypted: Bool?
    private let sendsPicture: Bool
    /// Their picture as it arrives; nil for none.
    var theirPicture: Size?
    /// The screen that they share, likewise.
    var theirScreen: Size?

    /// From a look at the call's counts, and one before it.
    init(
        _ statistics: MediaStatistics, before: MediaStatistics?, in time: Duration, of snapshot: CallSnapshot
    ) {
        self.statistics = statistics
        rates = before.flatMap { CallRates(from: $0, to: statistics, in: time) }
        // What is on hold sends and shows no picture, whatever its cameras do.
        let isHeld = snapshot.isHeld || snapshot.isHeldByPeer
        quality = CallQuality(
            .init(
                statistics.link, rates: rates, sendsPicture: snapshot.cameraEnabled && !isHeld,
                receivesPicture: snapshot.peerCamera && !snapshot.isPeerPicturePaused && !isHeld,
                hasWay: snapshot.stage != .reconnecting))
        isEncrypted = snapshot.isEncrypted ? true : snapshot.isClear ? false : nil
        sendsPicture = snapshot.cameraEnabled
    }

    /// The icon for how good it is.
    var icon: String {
        switch quality.step {
        case .good: "network-cellular-signal-excellent-symbolic"
        case .fair: "network-cellular-signal-ok-symbolic"
        case .poor: "network-cellular-signal-weak-symbolic"
        }
    }

    /// The word and the reason, as one text.
    var sentence: String {
        let word = tr("Connection: %s", quality.word)
        return quality.reason.map { word + ". " + $0 } ?? word
    }

    /// What is known, line by line; what is not known has no line.
    var lines: [Line] {
        var lines: [Line] = []
        func add(_ title: String, _ value: String?) { if let value { lines.append(Line(title: title, value: value)) } }
        add(tr("You send"), rates.map { rate($0.sent) + ownPictures($0.sentPictures) })
        add(tr("Your picture is limited by"), limit)
        add(tr("You receive"), rates.map { rate($0.received) + picture(theirPicture, $0.receivedPictures) })
        add(tr("Your screen"), screen(statistics.link.screenSize.map(Size.init), rates?.sentScreens))
        add(tr("Their screen"), screen(theirScreen, rates?.receivedScreens))
        add(tr("Lost of what you send"), percent(statistics.link.loss))
        add(tr("Lost of what they send"), percent(statistics.link.lossHere))
        add(tr("There and back"), statistics.link.roundTrip.map { tr("%s ms", $0) })
        add(tr("Way"), statistics.path.map(way))
        add(tr("Codecs"), codecs)
        add(tr("Encryption"), isEncrypted.map { $0 ? tr("End to end") : tr("Not encrypted end to end") })
        return lines
    }

    /// What keeps the own picture from being as large as the camera gives it; nil where nothing does.
    private var limit: String? {
        guard sendsPicture, statistics.link.size != nil else { return nil }
        return switch statistics.link.limit {
        case .camera: nil
        case .network: tr("The connection")
        case .machine: tr("This machine")
        case .view: tr("The size it is shown at")
        case .data: tr("Saving data")
        }
    }

    private func rate(_ bits: Int) -> String { tr("%s kbit/s", bits / 1_000) }

    /// The own pictures are of no size before the first was sent.
    private func ownPictures(_ rate: Double) -> String {
        guard sendsPicture else { return "" }
        let size = statistics.link.size.map(Size.init)
        return size == nil ? ", " + tr("%s pictures a second", Int(rate.rounded())) : picture(size, rate)
    }

    private func way(_ path: MediaPath) -> String {
        let way = path.isRelayed ? tr("Through a TURN server") : tr("Direct")
        return switch path.version {
        case .ipv4: way + ", IPv4"
        case .ipv6: way + ", IPv6"
        case nil: way
        }
    }

    /// As the two have agreed on them; nil before.
    private var codecs: String? {
        let pictures = statistics.codecs.pictures.map {
            statistics.link.isHardware ? tr("%s by the graphics processor", $0) : $0
        }
        let names = [statistics.codecs.sound, pictures].compactMap(\.self)
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }

    private func picture(_ size: Size?, _ rate: Double) -> String {
        guard let size else { return "" }
        return ", " + pictures(size, rate)
    }

    private func pictures(_ size: Size, _ rate: Double) -> String {
        tr("%1$s pictures a second of %2$s", Int(rate.rounded()), size.text)
    }

    /// Before the second look its size alone is known.
    private func screen(_ size: Size?, _ rate: Double?) -> String? {
        size.map { size in rate.map { pictures(size, $0) } ?? size.text }
    }

    private func percent(_ part: Double) -> String { tr("%s %", Int((part * 100).rounded())) }
}

extension QualityReading.Size {
    fileprivate init(_ size: PictureSize) { self.init(width: size.width, height: size.height) }

    fileprivate var text: String { "\(width) × \(height)" }
}
