/// From what was seen or heard at one end and at the other to how long it took.
enum Delays {
    /// Something with a number at a moment in milliseconds.
    struct Sighting: Codable, Sendable, Equatable {
        var number: Int
        var at: Double
    }

    /// How long each thing that was `shown` took since it was last `captured`, at most `longest`; what has no origin is left out.
    /// Both in order of time; numbers come again.
    static func pictures(captured: [Sighting], shown: [Sighting], longest: Double = 2_000) -> [Double] {
        let origins = Dictionary(grouping: captured, by: \.number).mapValues { $0.map(\.at) }
        var seen: Set<Double> = []
        return shown.compactMap { picture in
            guard let origin = origins[picture.number]?.last(where: { $0 <= picture.at }),
                picture.at - origin <= longest, seen.insert(origin).inserted
            else { return nil }
            return picture.at - origin
        }
    }

    /// How long each beep that was `spoken` took to be `heard`, at most `longest`.
    static func beeps(spoken: [Double], heard: [Double], longest: Double = 900) -> [Double] {
        spoken.compactMap { moment in
            heard.first { $0 >= moment }.map { $0 - moment }.flatMap { $0 <= longest ? $0 : nil }
        }
    }
}
