import Foundation

/// One direction of a whole call, without its first seconds, in which the sender gets to know the link.
struct NetworkSummary: Sendable, Equatable {
    /// How many seconds are left out where there are more than twice as many.
    static let beginning = 5

    /// Pictures a second that were shown.
    var shown = 0.0
    /// The longest time without a new one, in milliseconds, and how long they stood still altogether, in seconds.
    var gap = 0
    var frozen = 0.0
    /// SSIM of those that were compared; nil: none were.
    var similarity: Double?
    /// Packets of sound a second, and the longest time without decoded sound in milliseconds.
    var sound = 0.0
    var soundGap = 0
    /// Pictures of a screen a second, and packets of its sound.
    var screen = 0.0
    var screenSound = 0.0
    /// What the link delivered in kbit/s, and how long packets waited in its queue in milliseconds: mean, and mean of the worst second.
    var rate = 0.0
    var queue = 0.0
    var longestQueue = 0.0
    /// The most rows that were shown, and in which second of the whole call for the first time.
    var rows = 0
    var rowsSecond = 0
    /// Seconds until ``PictureTimes/largeRows`` were shown for the first time; nil: they never were.
    var large: Double?

    init(_ all: [NetworkFigures.Direction]) {
        let settled = all.count > 2 * Self.beginning ? Array(all.dropFirst(Self.beginning)) : all
        func mean(_ values: [Double]) -> Double? {
            values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
        }
        func mean(_ value: KeyPath<NetworkFigures.Direction, Double>) -> Double {
            mean(settled.map { $0[keyPath: value] }) ?? 0
        }
        (shown, gap) = (mean(\.shown), settled.map(\.gap).max() ?? 0)
        frozen = Double(settled.map(\.frozen).reduce(0, +)) / 1_000
        similarity = mean(settled.compactMap(\.similarity))
        (sound, soundGap) = (mean(\.sound), settled.map(\.soundGap).max() ?? 0)
        (screen, screenSound) = (mean(\.screen), mean(\.screenSound))
        (rate, queue, longestQueue) = (mean(\.rate), mean(\.queue), settled.map(\.queue).max() ?? 0)
        rows = all.map(\.rows).max() ?? 0
        rowsSecond = (all.firstIndex { $0.rows == rows } ?? 0) + 1
        large = all.compactMap(\.large).first.map { $0 / 1_000 }
    }

    func text(_ name: String) -> String {
        var parts = [
            String(format: "%.1f pictures/s", shown), "longest gap \(gap) ms", String(format: "%.0f kbit/s", rate),
            String(format: "queue %.0f ms (most %.0f)", queue, longestQueue),
            String(format: "sound %.0f/s with gaps of at most %d ms", sound, soundGap),
            String(format: "frozen %.1f s", frozen),
        ]
        if let similarity { parts.append("SSIM " + NumberText.fixed(similarity, 3)) }
        if rows > 0 { parts.append("\(rows) rows in second \(rowsSecond)") }
        if let large { parts.append(String(format: "%d rows after %.1f s", PictureTimes.largeRows, large)) }
        if screenSound > 0 {
            parts.append(String(format: "screen %.1f pictures/s, its sound %.0f/s", screen, screenSound))
        }
        return "\(name): " + parts.joined(separator: ", ")
    }

    /// Both directions in a line each.
    static func text(of all: [NetworkFigures]) -> String {
        NetworkSummary(all.map(\.forward)).text("first to second") + "\n"
            + NetworkSummary(all.map(\.backward)).text("second to first")
    }
}
