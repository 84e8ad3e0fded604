/// One measured number with what it could be at best.
struct Figure: Codable, Equatable, Sendable {
    /// Which way is good.
    enum Better: String, Codable, Sendable { case higher, lower }

    /// What it is compared with.
    struct Ceiling: Codable, Equatable, Sendable {
        var name: String
        var value: Double

        init(_ name: String, _ value: Double) {
            self.name = name
            self.value = value
        }
    }

    /// The relay it was measured at.
    var subject: String
    /// What was measured.
    var name: String
    /// Connections or queues the measurement was made with.
    var load: Int
    var value: Double
    var unit: String
    var better: Better
    var ceiling: Ceiling

    /// How many times the figure is away from its ceiling: 1 is at it, 2 is half as good.
    var ratio: Double {
        switch better {
        case .higher: value > 0 ? ceiling.value / value : .greatestFiniteMagnitude
        case .lower: ceiling.value > 0 ? value / ceiling.value : .greatestFiniteMagnitude
        }
    }

    private enum CodingKeys: String, CodingKey { case subject, name, load, value, unit, better, ceiling, ratio }

    init(
        _ name: String, of subject: String, load: Int, value: Double, unit: String, better: Better, ceiling: Ceiling
    ) {
        self.subject = subject
        self.name = name
        self.load = load
        self.value = value
        self.unit = unit
        self.better = better
        self.ceiling = ceiling
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        subject = try values.decode(String.self, forKey: .subject)
        name = try values.decode(String.self, forKey: .name)
        load = try values.decode(Int.self, forKey: .load)
        value = try values.decode(Double.self, forKey: .value)
        unit = try values.decode(String.self, forKey: .unit)
        better = try values.decode(Better.self, forKey: .better)
        ceiling = try values.decode(Ceiling.self, forKey: .ceiling)
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(subject, forKey: .subject)
        try values.encode(name, forKey: .name)
        try values.encode(load, forKey: .load)
        try values.encode(value, forKey: .value)
        try values.encode(unit, forKey: .unit)
        try values.encode(better, forKey: .better)
        try values.encode(ceiling, forKey: .ceiling)
        try values.encode(ratio, forKey: .ratio)
    }
}
