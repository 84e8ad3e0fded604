/// What one call came to.
struct CallFigures: Codable, Sendable, Equatable {
    /// Processor seconds a second, PSS in MiB and processes, of one end.
    var processor = 0.0
    var memory = 0.0
    var processes = 0.0
    /// Milliseconds from accepting to the first picture.
    var setup = 0.0
    /// Pictures a second that are shown, kbit/s that an end receives, and the size that is shown.
    var pictures = 0.0
    var rate = 0.0
    var width = 0
    var height = 0
    /// Milliseconds from capture to display and from mouth to ear; nil where nothing was seen or heard.
    var picture: Double?
    var sound: Double?
    /// SSIM of what is shown.
    var similarity: Double?

    /// By how many milliseconds sound is behind the picture.
    var lag: Double? { sound.flatMap { sound in picture.map { sound - $0 } } }
}

/// What `parley-bench call` found: each figure of both, and how far it is from its aim.
struct CallReport: Codable, Sendable, Equatable {
    /// One figure: medians of the rounds, and their ratio's.
    struct Line: Codable, Sendable, Equatable {
        var name: String
        var unit: String
        var parley: Double?
        var chromium: Double?
        var ratio: Double?
        /// What the ratio, or where there is none the figure itself, is to be at most, or at least.
        var aim: Double?
        var isAimLeast = false
        var meetsAim: Bool?
    }

    var rounds: Int
    var parley: [CallFigures]
    var chromium: [CallFigures]
    var lines: [Line]

    init(parley: [CallFigures], chromium: [CallFigures]) {
        (rounds, self.parley, self.chromium) = (parley.count, parley, chromium)
        func line(
            _ name: String, _ unit: String, atMost: Double? = nil, atLeast: Double? = nil,
            _ value: (CallFigures) -> Double?
        ) -> Line {
            // A ratio is of two calls of the same minute.
            let ratios = zip(parley, chromium).compactMap { one, other -> Double? in
                guard let one = value(one), let other = value(other), other > 0 else { return nil }
                return one / other
            }
            let ratio = ratios.isEmpty ? nil : SetupReport.Line.median(ratios)
            var line = Line(
                name: name, unit: unit, parley: Self.median(parley.compactMap(value)),
                chromium: Self.median(chromium.compactMap(value)), ratio: ratio, aim: atMost ?? atLeast,
                isAimLeast: atLeast != nil)
            if let ratio { line.meetsAim = atMost.map { ratio <= $0 } ?? atLeast.map { ratio >= $0 } }
            return line
        }
        var lag = Line(
            name: "sound behind picture", unit: "ms", parley: Self.median(parley.compactMap(\.lag)),
            chromium: Self.median(chromium.compactMap(\.lag)), aim: Self.inStep)
        lag.meetsAim = lag.parley.map { abs($0) <= Self.inStep }
        lines = [
            line("processor time of one end", "s/s", atMost: 0.6) { $0.processor },
            line("memory of one end (PSS)", "MiB", atMost: 0.3) { $0.memory },
            line("accept to first picture", "ms", atMost: 0.5) { $0.setup },
            line("capture to display", "ms", atMost: 1) { $0.picture },
            line("mouth to ear", "ms", atMost: 1) { $0.sound },
            lag,
            line("pictures", "1/s", atLeast: 0.97) { $0.pictures },
            line("pictures’ height", "pixels", atLeast: 1) { Double($0.height) },
            line("received", "kbit/s") { $0.rate },
            line("SSIM of what is shown", "", atLeast: 1) { $0.similarity },
        ]
    }

    /// Milliseconds by which sound and picture may be apart.
    static let inStep = 40.0

    private static func median(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : SetupReport.Line.median(values)
    }

    var text: String {
        var table = TextTable([
            ("figure", .left), ("unit", .left), ("Parley", .right), ("Chromium", .right), ("ratio", .right),
            ("aim", .right), ("", .left),
        ])
        func text(_ value: Double?) -> String { value.map(NumberText.format) ?? "–" }
        for line in lines {
            table.add([
                line.name, line.unit, text(line.parley), text(line.chromium),
                line.ratio.map { NumberText.fixed($0, line.isAimLeast ? 3 : 2) } ?? "–",
                line.aim.map { (line.isAimLeast ? "≥ " : "≤ ") + NumberText.format($0) } ?? "–",
                line.meetsAim.map { $0 ? "met" : "missed" } ?? "–",
            ])
        }
        return table.text + "\n\(rounds) rounds in turns; medians, and the medians of the rounds’ ratios."
    }
}
