/// What `parley-bench frame-encryption` found.
struct FrameEncryptionReport: Codable, Sendable, Equatable {
    /// Sealing or opening frames of one size; nanoseconds a frame.
    struct Line: Codable, Sendable, Equatable {
        var frame: String
        var bytes: Int
        var operation: String
        var parley: Double
        var libcrypto: Double
        /// How many times as long Parley takes.
        var ratio: Double
        var allocations: Double

        /// `times` are those of turns: medians count, and the ratio is the median of those within a turn.
        init(
            frame: String, bytes: Int, operation: String, times: [(ours: Double, bare: Double)], allocations: Double
        ) {
            (self.frame, self.bytes, self.operation, self.allocations) = (frame, bytes, operation, allocations)
            parley = SetupReport.Line.median(times.map(\.ours))
            libcrypto = SetupReport.Line.median(times.map(\.bare))
            ratio = SetupReport.Line.median(times.filter { $0.bare > 0 }.map { $0.ours / $0.bare })
        }

        var meetsAim: Bool { ratio <= FrameEncryptionReport.aim && allocations == 0 }
    }

    /// How many times libcrypto's time a frame may take.
    static let aim = 1.15

    var lines: [Line]

    var text: String {
        var table = TextTable([
            ("frame", .left), ("bytes", .right), ("", .left), ("Parley, ns", .right), ("libcrypto, ns", .right),
            ("times", .right), ("allocations", .right), ("aim", .left),
        ])
        for line in lines {
            table.add([
                line.frame, NumberText.grouped(line.bytes), line.operation, NumberText.format(line.parley),
                NumberText.format(line.libcrypto), NumberText.fixed(line.ratio, 2),
                line.allocations == 0 ? "0" : NumberText.format(line.allocations),
                line.meetsAim ? "met" : "missed",
            ])
        }
        return table.text + "\nAim: \(NumberText.fixed(Self.aim, 2)) times libcrypto's time, and no allocation a frame."
    }
}
